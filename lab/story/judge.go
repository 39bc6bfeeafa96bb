//go:build linux

package story

import (
	"slices"
	"time"
)

// Mark is the quality of an answer at its moment.
type Mark string

// Marks. Bad reports which of them are mistakes.
const (
	Right   Mark = "right"   // a current fault is first, and all visible faults are named
	Part    Mark = "part"    // a current fault is first, another visible fault is not named
	Second  Mark = "second"  // named, but not first
	Unknown Mark = "unknown" // no cause is named, or a true cause that is less specific
	Early   Mark = "early"   // no cause is named, and the evidence cannot show it yet
	Wrong   Mark = "wrong"
	Certain Mark = "wrong and certain"
	False   Mark = "false healthy" // HEALTHY although the evidence shows a fault
	Ending  Mark = "ending"        // within the permitted time after the end, the ended fault or nothing is named
	Still   Mark = "still"         // after that time, the ended fault is named, or the verdict is not HEALTHY
	Well    Mark = "healthy"       // no current fault; the resolved fault is not reported
	Over    Mark = "over"          // no current fault, and the resolved fault is reported as such
	Failed  Mark = "failed"        // no answer
)

// Bad reports whether the mark is a mistake.
func (m Mark) Bad() bool {
	return slices.Contains([]Mark{Part, Second, Wrong, Certain, False, Still, Failed}, m)
}

// afterEnd is the time after the end of a fault in which the verdict may still not be HEALTHY.
const afterEnd = 60 * time.Second

// settles is the time after the end of a fault in which a component may still report the old state. A kubelet posts
// status every ten seconds, and retries failed operations after a while. Until then the old fault may come before a
// current fault.
const settles = 15 * time.Second

// Judge compares an answer with the state at its moment.
func Judge(faults []*Fault, l *Look, way Way) Mark {
	a, at, nodes := l.Answers[way], l.At, asked(faults)
	a.Findings = l.lasting(faults, a.Findings)
	var active, ended []*Fault
	for _, f := range faults {
		switch {
		case f.active(at):
			active = append(active, f)
		case f.ended(at):
			ended = append(ended, f)
		}
	}
	switch {
	case a.Error != "":
		return Failed
	case len(active) == 0:
		return l.judgeEnd(ended, a)
	}
	var told []*Fault
	for _, f := range active {
		if f.told(way, at, nodes) {
			told = append(told, f)
		}
	}
	return l.judgeFault(active, told, ended, a, way)
}

// judgeFault judges an answer while faults are active.
func (l *Look) judgeFault(active, told, ended []*Fault, a Answer, way Way) Mark {
	if len(a.Findings) == 0 || a.Verdict == "healthy" {
		return l.judgeSilence(told, a)
	}
	if found, excluded := l.excluded(active, a); excluded {
		return wrong(found)
	}
	first := a.Findings[0]
	named := slices.ContainsFunc(active, func(f *Fault) bool { return l.names(f, first) })
	justEnded := slices.ContainsFunc(ended, func(f *Fault) bool { return l.names(f, first) && l.At.Sub(f.Healed) <= settles })
	switch {
	case named, justEnded && len(told) > 0:
		if slices.ContainsFunc(told, func(f *Fault) bool { return l.missed(f, a, way) }) {
			return Part
		}
		return Right
	case slices.ContainsFunc(active, func(f *Fault) bool { return l.wider(f, first, way) }):
		return Unknown
	case len(told) == 0 && l.recent(ended) && slices.ContainsFunc(ended, func(f *Fault) bool { return l.names(f, first) || l.wider(f, first, way) }):
		return Ending
	case slices.ContainsFunc(active, func(f *Fault) bool { return l.isIn(f, a.Findings) }):
		return Second
	}
	return wrong(first)
}

// names reports whether the finding names the cause of the fault, on its node.
func (l *Look) names(f *Fault, found Finding) bool {
	return found.Cause == f.Truth.Class && l.on(found, f.Node)
}

// isIn reports whether one of the findings names the fault.
func (l *Look) isIn(f *Fault, list []Finding) bool {
	return slices.ContainsFunc(list, func(found Finding) bool { return l.names(f, found) })
}

// missed reports whether the answer has neither the cause of the fault nor a less specific one, and does not report it as resolved.
func (l *Look) missed(f *Fault, a Answer, way Way) bool {
	wider := slices.ContainsFunc(a.Findings, func(found Finding) bool { return l.wider(f, found, way) })
	return !wider && !l.isIn(f, a.Findings) && !l.isOver(f, a)
}

// isOver reports whether the answer reports as resolved a fault that passes by itself.
func (l *Look) isOver(f *Fault, a Answer) bool { return f.Passes && l.isIn(f, a.Over) }

// judgeSilence judges an answer without a finding.
func (l *Look) judgeSilence(told []*Fault, a Answer) Mark {
	switch {
	case len(told) == 0:
		return Early
	case !slices.ContainsFunc(told, func(f *Fault) bool { return !l.isOver(f, a) }):
		return Right // it happened, and is reported as resolved
	case a.Verdict == "healthy" || a.Exit == 0:
		return False
	}
	return Unknown
}

// excluded returns a finding that a fault excludes.
func (l *Look) excluded(active []*Fault, a Answer) (Finding, bool) {
	for _, f := range active {
		for _, found := range a.Findings {
			if slices.Contains(f.Truth.Not, found.Cause) && l.on(found, f.Node) {
				return found, true
			}
		}
	}
	return Finding{}, false
}

func wrong(f Finding) Mark {
	if f.Certainty == "certain" {
		return Certain
	}
	return Wrong
}

// wider reports whether the finding is true for the fault but less specific.
func (l *Look) wider(f *Fault, found Finding, way Way) bool {
	lost := f.Probed && way == Dump && found.Cause == "node-lost" // the kubelet was not queried
	return (lost || slices.Contains(f.Truth.Wider, found.Cause)) && l.on(found, f.Node)
}

// recent reports whether one of them ended so recently that naming it is not a mistake.
func (l *Look) recent(ended []*Fault) bool {
	return slices.ContainsFunc(ended, func(f *Fault) bool { return l.At.Sub(f.Healed) <= afterEnd })
}

func (l *Look) judgeEnd(ended []*Fault, a Answer) Mark {
	if a.Verdict == "healthy" && a.Exit == 0 {
		all := len(ended) > 0
		for _, f := range ended {
			all = all && slices.ContainsFunc(a.Over, func(o Finding) bool {
				return (o.Cause == f.Truth.Class || slices.Contains(f.Truth.Wider, o.Cause)) && l.on(o, f.Node)
			})
		}
		if all {
			return Over
		}
		return Well
	}
	own := func(found Finding) bool {
		return slices.ContainsFunc(ended, func(f *Fault) bool {
			return (found.Cause == f.Truth.Class || slices.Contains(f.Truth.Wider, found.Cause)) && l.on(found, f.Node)
		})
	}
	switch {
	case len(a.Findings) > 0 && !own(a.Findings[0]):
		return wrong(a.Findings[0])
	case l.recent(ended):
		return Ending
	}
	return Still
}

// Extra returns the findings that no current or ended fault of the story explains, and that are not effects of an
// explained finding.
func Extra(faults []*Fault, l *Look, way Way) []Finding {
	all := l.lasting(faults, l.Answers[way].Findings)
	known := func(found Finding) bool {
		return slices.ContainsFunc(faults, func(f *Fault) bool {
			return !f.Began.IsZero() && !f.Began.After(l.At) && (found.Cause == f.Truth.Class && l.on(found, f.Node) || l.wider(f, found, way))
		})
	}
	return slices.DeleteFunc(slices.Clone(all), func(found Finding) bool {
		follows := func(root Finding) bool { return root.Cause == found.ExplainedBy && known(root) }
		return known(found) || slices.ContainsFunc(all, follows)
	})
}

// lasting returns the findings without those that are true because break or heal restarts a component. A less specific
// cause of a current fault lasts as long as the fault.
func (l *Look) lasting(faults []*Fault, list []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(list), func(found Finding) bool {
		return slices.ContainsFunc(faults, func(f *Fault) bool {
			saysLess := f.active(l.At) && slices.Contains(f.Truth.Wider, found.Cause)
			return slices.Contains(f.Restarts, found.Cause) && !saysLess && f.restarting(l.At) && l.on(found, f.Node)
		})
	})
}

// on reports whether the finding may be about that node: it is the node or one of its pods, or has a wider scope than a
// node.
func (l *Look) on(f Finding, node string) bool {
	return slices.ContainsFunc(append([]Subject{f.Subject}, f.Subjects...), func(s Subject) bool {
		switch s.Kind {
		case "Node":
			return s.Name == node
		case "Pod":
			where, known := l.Pods[s.Namespace+"/"+s.Name]
			return !known || where == node
		}
		return true
	})
}
