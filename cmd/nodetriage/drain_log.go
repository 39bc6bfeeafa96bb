package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/report"
)

// drainLog prints the actions of a drain as they happen, and writes them to a file.
type drainLog struct {
	w     io.Writer
	out   *outputFlags
	file  *os.File
	begin time.Time
	gone  int
	all   int
	err   error // the first error of writing the file; the drain continues
}

func (f *runFlags) logger(w io.Writer, out *outputFlags, p *drain.Plan) (*drainLog, error) {
	l := &drainLog{w: w, out: out, begin: time.Now()}
	for _, pod := range p.Pods {
		if pod.Action != drain.Skip {
			l.all++
		}
	}
	if f.log == "" {
		return l, nil
	}
	file, err := atomicfile.Append(f.log)
	if err != nil {
		return nil, usagef("open the file of --log: %w", err)
	}
	l.file = file
	return l, nil
}

func (l *drainLog) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

func (l *drainLog) add(e execute.Entry) {
	redact.New(false).Object(&e) // it quotes the API server
	line, err := json.Marshal(e)
	if err == nil && l.file != nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("write the log: %w", err)
	}
	if l.out.format == "json" {
		fmt.Fprintf(l.w, "%s\n", line)
		return
	}
	_ = l.out.say(l.w, func(w io.Writer, s report.Style) error { return report.Progress(w, l.step(e), s) })
}

// step describes an action.
func (l *drainLog) step(e execute.Entry) report.Step {
	s := report.Step{After: time.Since(l.begin), Verb: e.Do, Object: e.Name, Why: e.Why}
	switch {
	case e.Result == execute.Would:
		s.Verb = "would " + e.Do
	case e.Result == execute.Waits:
		s.Verb = "waits"
	case e.Result == execute.Skipped:
		s.Verb = "left alone"
	case e.Do == "gone":
		l.gone++
		s.Why = fmt.Sprintf("%d of %d", l.gone, max(l.all, l.gone))
	case e.Do == "evict":
		s.Verb = "evicted"
	}
	return s
}
