//go:build linux && !race

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Limits of every input. The wall limit does not measure speed: it stops a program that hangs.
const (
	hostileCPU    = 10 * time.Second // for each file
	hostileMemory = 600_000_000      // bytes
	hostileWall   = 10 * time.Minute
)

// hostileCommands are all commands that read evidence. FILE is the input.
var hostileCommands = []string{
	"diagnose FILE", "diagnose -f FILE -o json", "diagnose -f FILE -o html", "diagnose -f FILE -o markdown", "diagnose n1 -f FILE -o sarif", "diagnose FILE --all",
	"nodes -f FILE", "nodes n1 -f FILE -o html", "nodes n1 -f FILE -o json", "nodes n1 -f FILE",
	"pods -f FILE", "pods --not-running -f FILE -o json", "budgets -f FILE", "budgets -f FILE -o html", "daemonsets -f FILE -o json", "pools -f FILE", "pools --pool np1 -f FILE -o json",
	"operations -f FILE", "operations -f FILE -o json", "why p1 -n shop -f FILE", "why deploy/web -n shop -f FILE -o json",
	"predict n1 -f FILE", "predict n1 --event power-off -f FILE -o html", "drain n1 --plan -f FILE", "drain n1 --plan -f FILE -o json", "upgrade np1 --plan -f FILE", "upgrade np1 --plan -f FILE -o html",
	"repair restart-vm n1 -f FILE", "repair reconcile cluster -f FILE -o json", "check -f FILE", "check -f FILE -o junit", "verify n1 -f FILE", "verify n1 -f FILE --before FILE", "verify n1 -f FILE --report FILE",
	"diff FILE FILE", "diff FILE FILE -o json --node n1", "collect -f FILE -o -", "collect -f FILE --hide-names -o -", "test FILE", "knowledge verify FILE", "knowledge check FILE",
	"diagnose --exceptions FILE -f FILE", "diagnose --catalog FILE --catalog-key none -f FILE", "diagnose --catalog FILE --catalog-key FILE -f FILE", "nodes --kubeconfig FILE", "diagnose -",
}

// hostileDoors are the commands with their own file readers. They get large files.
var hostileDoors = []string{
	"diagnose FILE", "diagnose -f FILE -o json", "diagnose -", "nodes -f FILE", "operations -f FILE", "why deploy/web -n shop -f FILE -o json", "predict n1 -f FILE", "drain n1 --plan -f FILE", "upgrade np1 --plan -f FILE",
	"check -f FILE", "verify n1 -f FILE --before FILE", "verify n1 -f FILE --report FILE", "diff FILE FILE", "collect -f FILE -o -", "test FILE", "knowledge verify FILE", "knowledge check FILE",
	"diagnose --exceptions FILE -f FILE", "diagnose --catalog FILE --catalog-key none -f FILE", "nodes --kubeconfig FILE",
}

// TestHostileInputs runs commands on hostile inputs: none panics, takes more than ten seconds of one processor or 600 MB, or
// prints a control character or markup. It runs one part of the small inputs each day. make hostile runs what
// NODETRIAGE_HOSTILE selects: each small input with each command ("small"), each large one with each reader ("large"), or both
// ("all").
func TestHostileInputs(t *testing.T) {
	t.Parallel()
	inputs := hostileFiles(t)
	if len(inputs) < 400 {
		t.Errorf("%d inputs", len(inputs))
	}
	which := os.Getenv("NODETRIAGE_HOSTILE")
	h := newHostile(t)
	for i, in := range inputs {
		h.give(i, in, hostilePart(which, in, i))
	}
	h.wait()
}

// hostilePart returns the commands for an input.
func hostilePart(which string, in hostileFile, number int) []string {
	large := in.stream != nil
	switch which {
	case "all":
		if large {
			return hostileDoors
		}
		return hostileCommands
	case "small":
		if !large {
			return hostileCommands
		}
	case "large":
		if large {
			return hostileDoors
		}
	default:
		today := time.Now().YearDay()
		if at := number + today/8*7; number%8 == today%8 && !large {
			return hostileCommands[at%len(hostileCommands):][:1]
		}
	}
	return nil
}

// hostile runs the program. Each of its workers is a small process that starts the program and reports its usage, because the
// kernel counts the memory of the parent process for the child.
type hostile struct {
	t    *testing.T
	dir  string
	work chan hostileRun
	all  sync.WaitGroup
	runs int
	most struct {
		sync.Mutex
		cpu    time.Duration
		memory int64
	}
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{t: t, dir: t.TempDir(), work: make(chan hostileRun)}
	for range runtime.GOMAXPROCS(0) {
		m := newMeasurer(t)
		h.all.Go(func() {
			for r := range h.work {
				for _, fault := range h.faults(m, r) {
					t.Errorf("%s: nodetriage %s: %s", r.name, r.command, fault)
				}
				r.done.Done()
			}
		})
	}
	return h
}

// give writes an input, runs the commands with it, and removes it.
func (h *hostile) give(number int, in hostileFile, commands []string) {
	if len(commands) == 0 {
		return
	}
	file := filepath.Join(h.dir, fmt.Sprintf("%03d-%s", number, in.name))
	in.write(h.t, file)
	var done sync.WaitGroup
	for _, command := range commands {
		done.Add(1)
		h.work <- hostileRun{in.name, file, command, &done}
		h.runs++
	}
	h.all.Go(func() {
		done.Wait()
		_ = os.RemoveAll(file)
	})
	if in.stream != nil {
		done.Wait()
	}
}

func (h *hostile) wait() {
	close(h.work)
	h.all.Wait()
	h.t.Logf("%d runs; the most: %v, %d MB", h.runs, h.most.cpu, h.most.memory/1_000_000)
}

func seedOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

type hostileRun struct {
	name, file, command string
	done                *sync.WaitGroup
}

// executed is the file that every command hidden in an input would create.
const executed = "nodetriage-was-made-to-run-this"

func (h *hostile) faults(m *measurer, r hostileRun) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	job := measureJob{Dir: h.dir, Out: r.file + ".out" + strconv.FormatUint(seedOf(r.command), 36)}
	for _, word := range strings.Fields(r.command) {
		job.Args = append(job.Args, strings.ReplaceAll(word, "FILE", r.file))
	}
	if strings.HasSuffix(r.command, " -") {
		job.In = r.file
	}
	took := m.run(job)
	files := max(1, strings.Count(r.command, "FILE"))
	out, stderr := output(job.Out), output(job.Out+".err")
	h.most.Lock()
	h.most.cpu, h.most.memory = max(h.most.cpu, took.CPU), max(h.most.memory, took.Memory)
	h.most.Unlock()
	switch {
	case took.Endless:
		fault("does not end")
	case took.CPU > hostileCPU*time.Duration(files):
		fault("takes %v of one processor", took.CPU)
	case took.Memory > hostileMemory*int64(files):
		fault("takes %d MB", took.Memory/1_000_000)
	case took.Code < 0 || took.Code > 5, panicked.Match(stderr), panicked.Match(out):
		fault("panics (exit code %d): %.600s", took.Code, stderr)
	}
	if strings.Contains(r.command, "-o -") { // an archive
		out = nil
	}
	for _, text := range [][]byte{out, stderr} {
		if at := forbidden.FindIndex(text); at != nil {
			fault("lets through %q", text[max(0, at[0]-60):min(len(text), at[1]+30)])
		}
	}
	if strings.Contains(r.command, "html") && markup.Match(out) {
		fault("markup: %q", markup.Find(out))
	}
	if _, err := os.Stat(filepath.Join(h.dir, executed)); err == nil {
		fault("a command was executed")
	}
	return faults
}

// output reads what a run printed, and removes it.
func output(file string) []byte {
	defer os.Remove(file)
	data, _ := os.ReadFile(file)
	return data
}

var (
	panicked = regexp.MustCompile(`(?m)^(?:panic: |fatal error: |goroutine \d+ \[|runtime: )`)
	// forbidden matches control characters, C1 controls, and characters that change the direction of a text.
	forbidden = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")
	markup    = regexp.MustCompile(`(?i)<script>alert|<img src=x|onerror=alert\(1\)["']?>|href=["']?javascript:`)
)

// measureJob is a run of the program.
type measureJob struct {
	Args []string
	Dir  string
	In   string // file of its standard input; empty: none
	Out  string // file of its output; that of its errors has .err behind it
}

// measured is the usage of a run.
type measured struct {
	CPU     time.Duration
	Memory  int64
	Code    int
	Endless bool
}

// measurer is the process that starts the program.
type measurer struct {
	t    *testing.T
	jobs *json.Encoder
	took *json.Decoder
}

func newMeasurer(t *testing.T) *measurer {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "NODETRIAGE_TEST_MEASURE=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &measurer{t, json.NewEncoder(in), json.NewDecoder(out)}
}

func (m *measurer) run(job measureJob) (took measured) {
	if err := m.jobs.Encode(job); err != nil {
		m.t.Error(err)
	}
	if err := m.took.Decode(&took); err != nil {
		m.t.Error(err)
	}
	return took
}

// measure is the process: it runs jobs from standard input, and prints the usage of each.
func measure() {
	jobs, took := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var job measureJob
		if jobs.Decode(&job) != nil {
			return
		}
		_ = took.Encode(job.run())
	}
}

func (job measureJob) run() measured {
	ctx, cancel := context.WithTimeout(context.Background(), hostileWall)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], job.Args...)
	cmd.Dir = job.Dir
	home := filepath.Join(job.Dir, "home")
	cmd.Env = []string{"NODETRIAGE_TEST_PROGRAM=1", "HOME=" + home, "KUBECONFIG=" + home + "/none", "PATH=" + os.Getenv("PATH")}
	if out, err := os.Create(job.Out); err == nil {
		defer out.Close()
		cmd.Stdout = out
	}
	if out, err := os.Create(job.Out + ".err"); err == nil {
		defer out.Close()
		cmd.Stderr = out
	}
	if job.In != "" {
		if in, err := os.Open(job.In); err == nil {
			defer in.Close()
			cmd.Stdin = in
		}
	}
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return measured{Code: -1}
	}
	state := cmd.ProcessState
	use := state.SysUsage().(*syscall.Rusage)
	return measured{state.UserTime() + state.SystemTime(), use.Maxrss * 1024, state.ExitCode(), ctx.Err() != nil}
}
