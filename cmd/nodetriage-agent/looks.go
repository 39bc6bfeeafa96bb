package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// looks takes each snapshot in a child process. It falls back to this process if the fork fails: process IDs, memory or
// the disk may be the problem of the node.
type looks struct {
	children children
	own      looker
	hanging  []hanging
	said     string // why no child could start
}

// begin reads the state for the first snapshot from the folder. The read may hang.
func (l *looks) begin(ctx context.Context) carried {
	a := agent.New(l.own.opt)
	saved := make(chan []nodereport.Saved, 1)
	_, back := a.Call(ctx, writing, writeLimit, func() {
		l.own.store.tidy()
		saved <- l.own.store.saved()
	})
	if !back {
		l.hanging = append(l.hanging, func() map[string]time.Time { return a.Carried().Out })
		return carried{}
	}
	return carried{Saved: <-saved}
}

func (l *looks) look(ctx context.Context, before carried, deliver func(outcome)) error {
	before.Out = l.out()
	left, err := l.inChild(ctx, before, deliver)
	if err != nil && ctx.Err() == nil {
		if text := err.Error(); text != l.said {
			l.said = text
			fmt.Fprintln(os.Stderr, name+": look without another process: "+text)
		}
		left, err = l.own.look(ctx, before, deliver)
	} else {
		l.said = ""
	}
	if left != nil {
		l.hanging = append(l.hanging, left)
	}
	return err
}

func (l *looks) inChild(ctx context.Context, before carried, deliver func(outcome)) (hanging, error) {
	if free := agent.New(l.own.opt).FreeTasks(); free >= 0 && free < agent.PlentyOfTasks {
		return nil, fmt.Errorf("%d more processes and threads may be started here", free)
	}
	return l.children.look(ctx, before, deliver)
}

// out returns the calls of earlier snapshots that still hang.
func (l *looks) out() map[string]time.Time {
	all := map[string]time.Time{}
	l.hanging = slices.DeleteFunc(l.hanging, func(h hanging) bool {
		calls := h()
		maps.Copy(all, calls)
		return len(calls) == 0
	})
	return all
}
