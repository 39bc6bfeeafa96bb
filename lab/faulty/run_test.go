//go:build unix

package faulty_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab/faulty"
)

// answer is the result of one run of the program.
type answer struct {
	args        []string
	out, stderr string
	code        int // -1: it was killed
	took        time.Duration
	reads       []faulty.Read
	pages       map[faulty.Read]int
}

func (a answer) String() string {
	return fmt.Sprintf("nodetriage %s: exit code %d after %s\n%s%s", strings.Join(a.args, " "), a.code, a.took.Round(time.Millisecond), a.out, a.stderr)
}

// timeoutOf returns the timeout of a request: short if the fault makes the program wait.
func (p *place) timeoutOf(f *faulty.Fault) string {
	if f != nil && (f.How == faulty.Hang || f.How == faulty.Later) {
		return (time.Duration(max(1, p.slow)) * 2 * time.Second).String()
	}
	return "1m"
}

// ask runs a command at the place with the fault, or without one. After collect it runs diagnose of the bundle.
func (p *place) ask(ctx context.Context, c command, f *faulty.Fault) (answer, error) {
	if c.name != "collect" {
		return p.run(ctx, f, append(slices.Clone(c.args), "-o", "wide")...) // one screen counts the gaps, and this names them
	}
	_ = os.Remove(filepath.Join(p.dir, after)) // of the previous run
	a, err := p.run(ctx, f, c.args...)
	if err != nil || a.code != good {
		return a, err
	}
	b, err := p.run(ctx, nil, "diagnose", "-o", "wide", "-f", after)
	b.args, b.reads, b.pages = append(a.args, "; diagnose -f "+after), a.reads, a.pages
	b.stderr = a.stderr + b.stderr
	return b, err
}

// run runs the program at the place with the fault, or without one.
func (p *place) run(ctx context.Context, f *faulty.Fault, args ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, *patience)
	defer cancel()
	a := answer{args: args}
	cmd := exec.CommandContext(ctx, program, args...)
	if args[len(args)-1] != after {
		cmd.Args = append(cmd.Args, "--kubeconfig", p.kubeconfig, "--request-timeout", cmp.Or(p.timeout, p.timeoutOf(f)))
	}
	cmd.Dir = p.dir
	cmd.WaitDelay = 5 * time.Second // a login plugin that outlives the program keeps its standard error open
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + scratch}
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	started := make(chan struct{})
	p.Play(asked(f, sync.OnceFunc(func() {
		<-started
		_ = cmd.Process.Signal(syscall.SIGINT)
	})))
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return a, err
	}
	close(started)
	_ = cmd.Wait() // the exit code is the result
	a.out, a.stderr, a.code, a.took = out.String(), stderr.String(), cmd.ProcessState.ExitCode(), time.Since(begin)
	a.reads, a.pages = p.Reads()
	return a, nil
}

// asked returns the fault for the proxy: SIGINT arrives while a page hangs.
func asked(f *faulty.Fault, signal func()) *faulty.Fault {
	if f == nil || f.How != interrupt {
		return f
	}
	return &faulty.Fault{Read: f.Read, Page: f.Page, How: faulty.Hang, Asked: signal}
}
