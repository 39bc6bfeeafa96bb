package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var (
	jobLine  = lazyregexp.New(`^\s*\d+ +(\S{1,250}) +(start|stop|restart|try-restart|reload|reload-or-start|verify-active|nop) +(waiting|running)\s*$`)
	jobOrder = lazyregexp.New(`^\s*[└├]─\s+(waiting for|blocking) job \d+ \(([^\s/]{1,250})/[a-z-]+\)`)
)

// startJobs reads systemctl list-jobs, with or without --after and --before. Each job is one line, followed by the jobs that it
// waits for or blocks.
func startJobs(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	if text == "No jobs running." || text == "No jobs listed." {
		p.queue()
		return done
	}
	if cols, ok := header(text, true); !ok || !slices.Equal(cols.names, []string{"JOB", "UNIT", "TYPE", "STATE"}) {
		return nil
	}
	p.node().Queue = &nodereport.Queue{} // the last output counts
	last := ""
	return each(func(l line) bool {
		if m := jobLine.FindStringSubmatch(l.text); m != nil {
			if j := p.job(m[1], l); j != nil {
				j.Type, j.State, j.Ref = m[2], m[3], quote(l)
				last = m[1]
			}
			return true
		}
		m := jobOrder.FindStringSubmatch(l.text)
		if m == nil || last == "" {
			return false
		}
		first, then := m[2], last
		if m[1] == "blocking" {
			first, then = last, m[2]
		}
		if j := p.job(then, l); j != nil && !slices.Contains(j.After, first) {
			j.After = append(j.After, first)
		}
		return true
	})
}

func (p *page) queue() *nodereport.Queue {
	r := p.node()
	if r.Queue == nil {
		r.Queue = &nodereport.Queue{}
	}
	return r.Queue
}

// job finds or adds the job of a unit; nil if the bound is reached.
func (p *page) job(unit string, l line) *nodereport.Job {
	q := p.queue()
	for i := range q.Jobs {
		if q.Jobs[i].Unit == unit {
			return &q.Jobs[i]
		}
	}
	if !p.text.room("jobs of systemd", l) {
		return nil
	}
	q.Jobs = append(q.Jobs, nodereport.Job{Unit: unit, Ref: quote(l)})
	return &q.Jobs[len(q.Jobs)-1]
}
