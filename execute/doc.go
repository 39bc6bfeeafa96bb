// Package execute carries plans out. It is the only writer.
//
// Everything that it changes besides evicting pods is marked on the object itself in the same step, with what
// it was before: so whatever ends a drain, be it kill -9, the next one finds what was left and puts it back.
// Marks are renewed while their drain runs; one that is not is abandoned. To put back compares three states, before, as
// written, and now: what somebody else changed since is never touched, and reported. Before each step the object is read again, and every write names the state that it expects.
//
// A drain: drain.go begins it, ends it and puts back; evict.go goes on until the nodes are empty or the time is over; observe.go
// reads the pods, todo.go says who goes now, in which order, and who never; queue.go lets the pods of one budget go one by one.
// cordon.go, surge.go and suspend.go change what stands in the way, mark.go writes down that they did. A repair: repair.go and
// the files that begin so. A canary: canary.go and the files that begin so.
package execute
