// Package execute carries plans out. It is the only writer.
//
// Everything that it changes besides evicting pods is marked on the object itself in the same step, with what
// it was before: so whatever ends a drain, be it kill -9, the next one finds what was left and puts it back.
// Marks are renewed while their drain runs; one that is not is abandoned. What somebody else changed is never
// touched. Before each step the object is read again, and every write names the state that it expects.
package execute
