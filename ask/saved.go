package ask

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Limits of the queries to agents. They are short, because a repair begins only while its plan is recent.
const (
	askedAtOnce   = 20
	longestAsking = time.Minute // for all nodes together
)

// saved lists what the agents on nodes of a live cluster saved, and the file for each archive before the nodes are changed.
func (l *look) saved(ctx context.Context, nodes []string, file func(node string, at time.Time) string) ([]plan.Saved, error) {
	c, live := l.Source.(Cluster)
	if !live || file == nil || len(nodes) == 0 {
		return nil, nil
	}
	reader, _, err := c.Connect()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, longestAsking)
	defer cancel()
	out := make([][]plan.Saved, len(nodes))
	var wait sync.WaitGroup
	turns := make(chan struct{}, askedAtOnce)
	for i, node := range nodes {
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			list, err := survey.Saved(ctx, reader, node, survey.Options{})
			if err != nil && runsAgent(l.snapshot, node) { // without a list of pods, an agent on other nodes is unknown
				out[i] = []plan.Saved{{Node: node, NotFetched: err.Error()}}
			}
			for _, x := range list {
				out[i] = append(out[i], planned(node, x, file))
			}
		})
	}
	wait.Wait()
	return slices.Concat(out...), nil
}

// runsAgent reports whether a pod of the agent's DaemonSet runs on the node.
func runsAgent(s *evidence.Snapshot, node string) bool {
	return slices.ContainsFunc(s.PodsOn(node), func(p *evidence.Pod) bool {
		return p.Owner.Name == "nodetriage-agent"
	})
}

// planned returns an archive with its file. Its time is taken from its name, because only the name was checked.
func planned(node string, s nodereport.Saved, file func(node string, at time.Time) string) plan.Saved {
	out := plan.Saved{Node: node, File: s.File, Why: s.Why, Bytes: s.Bytes}
	if err := survey.Unfit(s); err != nil {
		out.NotFetched = err.Error()
		return out
	}
	out.At, _ = nodereport.SavedAt(s.File)
	out.Path = file(node, out.At)
	return out
}
