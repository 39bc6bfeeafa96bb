package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

const (
	stepsFlag = "steps"
	// slowLook is how long it may take to run one probe after another.
	slowLook = 90 * time.Second
)

// lookThroughChild checks a node that is short of process ids. A Go program that cannot create a thread dies, so a child runs
// the probes one by one and reports after each. If the child dies, its last report counts. If no process id is left for a
// child, this process reads what needs no thread.
func lookThroughChild(ctx context.Context, opt agent.Options) *nodereport.Report {
	runtime.GOMAXPROCS(1)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // no threads for garbage collection while the child needs them
	report, err := childReport(ctx)
	if report == nil {
		report = agent.New(opt).LookAlone(ctx)
	}
	if err != nil {
		report.Gaps = append(report.Gaps, nodereport.Gap{
			What: "probes that need a thread of their own", Why: err.Error(), How: "end a process that is not needed, then nodetriage node-check again",
		})
	}
	return report
}

// childReport returns the last report of a child, and why it is incomplete.
func childReport(ctx context.Context) (*nodereport.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("start a process for the probes: %w", err)
	}
	defer nowhere.Close()
	lines, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a process for the probes: %w", err)
	}
	defer lines.Close()
	env := append(os.Environ(), "GOMAXPROCS=1")
	args := append(append([]string{program}, os.Args[1:]...), "--"+stepsFlag)
	child, err := os.StartProcess(program, args, &os.ProcAttr{Env: env, Files: []*os.File{nowhere, write, nowhere}})
	write.Close()
	if err != nil {
		return nil, fmt.Errorf("start a process for the probes: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, slowLook)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = child.Kill() })()
	report := lastReport(lines)
	state, err := child.Wait()
	switch {
	case err != nil:
		return report, fmt.Errorf("wait for the process of the probes: %w", err)
	case ctx.Err() != nil:
		return report, fmt.Errorf("the process of the probes took longer than %s and was ended", slowLook)
	case !state.Success():
		return report, fmt.Errorf("the process of the probes died (%s): there was no process id for a thread", strings.TrimSpace(state.String()))
	}
	return report, nil
}

// lastReport reads one report a line, and returns the last complete one.
func lastReport(lines io.Reader) *nodereport.Report {
	var last *nodereport.Report
	for text := bufio.NewReader(lines); ; {
		line, err := text.ReadBytes('\n')
		var r nodereport.Report
		if json.Unmarshal(line, &r) == nil && r.Kind == nodereport.Kind {
			last = &r
		}
		if err != nil {
			return last
		}
	}
}
