package paste

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/wording"
)

// processTable reads ps. It keeps only node components and stuck processes.
type processTable struct {
	p       *page
	cmd     *command
	columns []string
	at      line
	seen    []string
}

// startProcesses starts at the header.
func startProcesses(p *page, l line) reader {
	f := strings.Fields(l.text)
	if len(f) < 3 || !isProcessHeader(f) || strings.ToUpper(l.text) != l.text {
		return nil
	}
	return &processTable{p: p, cmd: p.command(), columns: f, at: l}
}

func isProcessHeader(columns []string) bool {
	last := columns[len(columns)-1]
	return slices.Contains(columns, "PID") && (last == "COMMAND" || last == "CMD")
}

// outputPS reads rows without a header, as in grep output; the flags give the columns.
func outputPS(p *page, c *command) reader {
	flags := strings.Join(c.words[1:], "")
	t := &processTable{p: p, cmd: c, at: line{no: p.no, text: c.raw}}
	switch flags {
	case "aux", "-aux", "auxww", "auxf", "auxwww":
		t.columns = strings.Fields("USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND")
	case "-ef", "-efww", "-fe":
		t.columns = strings.Fields("UID PID PPID C STIME TTY TIME CMD")
	default:
		return nil
	}
	return t
}

func (t *processTable) take(l line) bool {
	f := strings.Fields(l.text)
	n := len(t.columns)
	if len(f) < n {
		return len(f) == 0 && len(t.seen) == 0 && t.cmd.filtered()
	}
	if slices.Equal(f[:n], t.columns) {
		return true
	}
	pid, err := strconv.Atoi(f[slices.Index(t.columns, "PID")])
	if err != nil {
		return false
	}
	state := t.state(f)
	command := strings.Join(f[n-1:], " ")
	if strings.HasPrefix(command, "grep ") || strings.HasPrefix(command, "egrep ") {
		return true
	}
	if len(t.seen) < 10_000 {
		t.seen = append(t.seen, wording.Cut(command, 200))
	}
	if (isStuck(state) || runsNode(f[n-1])) && t.p.text.room("processes", l) {
		r := t.p.node()
		r.Processes = append(r.Processes, nodereport.Process{PID: pid, State: state, Command: wording.Cut(command, 500), Ref: quote(l)})
	}
	return true
}

// state returns the state in a row, or "" if the table has no such column.
func (t *processTable) state(row []string) string {
	if i := slices.IndexFunc(t.columns, func(c string) bool { return c == "STAT" || c == "S" }); i >= 0 {
		return row[i]
	}
	return ""
}

// isStuck reports whether a process is in uninterruptible sleep or a zombie.
func isStuck(state string) bool {
	return strings.HasPrefix(state, "D") || strings.HasPrefix(state, "Z")
}

// runsNode reports whether a program is a component of a Kubernetes node.
func runsNode(program string) bool {
	name := path.Base(program)
	return components.OfProcess(name) != nil || name == "containerd-shim"
}

// close records what was searched for but is not running. grep also matches itself, so complete output may contain only that line.
// It records nothing if the author stopped a program before.
func (t *processTable) close(how ending) {
	if !t.cmd.sure || t.p.stopped || how == otherText && len(t.seen) == 0 {
		return
	}
	for _, w := range t.cmd.searched() {
		if len(w) < 3 || slices.ContainsFunc(t.seen, func(s string) bool { return strings.Contains(s, w) }) || !t.p.text.room("processes", t.at) {
			continue
		}
		r := t.p.node()
		r.NotRunning = append(r.NotRunning, w)
	}
}
