//go:build linux

package story

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Others are the answers of one kind of evidence about nodes without a fault, each diagnosed by name.
type Others map[string]Answer

// JudgeOther evaluates an answer about a node that no fault of the story affects: it must be HEALTHY.
func JudgeOther(a Answer) Mark {
	switch {
	case a.Error != "":
		return Failed
	case a.Verdict == "healthy" && a.Exit == 0:
		return Well
	case len(a.Findings) > 0:
		return wrong(a.Findings[0])
	}
	return Wrong
}

// OfOthers counts the mistakes of the answers about nodes without a fault, and these answers.
func (p *Played) OfOthers() (bad, asked int) {
	for _, l := range p.Looks {
		for _, answers := range l.Others {
			for _, a := range answers {
				if asked++; JudgeOther(a).Bad() {
					bad++
				}
			}
		}
	}
	return bad, asked
}

// concerned returns the nodes with a fault at that moment, or with a fault that ended so recently that it may still be
// named.
func (l *Look) concerned(faults []*Fault) []string {
	var out []string
	for _, f := range faults {
		if f.active(l.At) || f.ended(l.At) && l.At.Sub(f.Healed) <= afterEnd {
			out = append(out, f.Node)
		}
	}
	return out
}

// askOthers diagnoses each node that no fault affects. If nodes were diagnosed by name, only the dump has the others.
func (l *Look) askOthers(ctx context.Context, program string, concerned []string, dir string) {
	l.Others = map[Way]Others{}
	nodes, err := nodesOf(inLook(dir, dumpFile))
	if err != nil {
		l.Others[Dump] = Others{"": {Error: err.Error()}}
	}
	nodes = slices.DeleteFunc(nodes, func(node string) bool { return slices.Contains(concerned, node) })
	for _, way := range []Way{Bundle, Dump} {
		if way == Bundle && l.Named {
			continue
		}
		for _, node := range nodes {
			if l.Others[way] == nil {
				l.Others[way] = Others{}
			}
			l.Others[way][node] = ask(ctx, program, append(evidence(dir, way), node)...)
		}
	}
}

// nodesOf returns the names of the nodes of a dump.
func nodesOf(dump string) ([]string, error) {
	text, err := content(dump)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read %s: %w", dump, err)
	}
	var out []string
	for _, o := range list.Items {
		if o.Kind == "Node" {
			out = append(out, o.Metadata.Name)
		}
	}
	slices.Sort(out)
	return out, nil
}
