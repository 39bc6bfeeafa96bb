// Package timeline orders what was said in time: which of two messages is the later one, by lines, events or clocks; how long
// whoever said something would take to say it again; and which event of an object shows that what failed before works.
package timeline
