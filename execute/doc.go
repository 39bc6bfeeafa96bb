// Package execute carries plans out. It is the only writer.
//
// What it changes besides evicting pods is marked on the object in the same step, with what it was before (mark.go): whatever
// ends a drain, be it kill -9, the next one finds what was left and puts it back. Before, as written and now are compared, so
// what somebody else changed since is never touched. Before each step the object is read again; every write names that state.
//
// A drain: drain.go begins and ends it, evict.go goes on until the nodes are empty or the time is over, observe.go reads the
// pods, todo.go says who goes now, queue.go lets the pods of one budget go one by one; cordon.go, surge.go and suspend.go
// change what stands in the way. A repair: repair.go, a canary: canary.go, and the files that begin so.
package execute
