// Package timeline compares the times of messages: which of two is later, by lines, events or clocks; how long a component takes to
// repeat a message; and which event shows that an earlier failure is resolved.
package timeline
