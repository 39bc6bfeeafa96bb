// Package execute carries out plans. It is the only package that writes to a cluster or a cloud.
//
// Each change except an eviction carries a mark with the previous state (mark.go), set in the same patch. After SIGKILL
// the next run restores that state. It compares the previous, written and current state and keeps changes of other
// users.
//
// A drain: drain.go starts and ends it, evict.go runs the loop, observe.go reads pods, todo.go and queue.go choose the
// next evictions; cordon.go, surge.go and suspend.go change what blocks it. A repair: repair.go and repair_*.go. A
// canary: canary.go and canary_*.go.
package execute
