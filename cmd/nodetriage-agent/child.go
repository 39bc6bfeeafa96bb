package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
)

// A snapshot needs several times the memory of the idle agent. A child process takes it and frees the memory when it
// exits.
const (
	// lookCommand is the first argument of the child process. Users do not pass it.
	lookCommand = "look"
	// lookLimit exceeds the time of the slowest probe plus saving, also on a busy machine.
	lookLimit = 2 * time.Minute
	// endLimit is how long a child may take to exit after its last message.
	endLimit = 5 * time.Second
	// maxOutcomes exceeds the output of a snapshot, in bytes.
	maxOutcomes = 64 << 20
)

// thisProgram is the running executable. It works without a folder lookup and after the file was replaced.
const thisProgram = "/proc/self/exe"

// children takes each snapshot in a child process. At most one child stays behind, if one of its threads hangs in the
// kernel.
type children struct {
	args []string // of this program
	last *child
}

// child is one process. The channel is closed when the process has exited or failed to start.
type child struct {
	answers *os.File
	ended   chan struct{}
	err     error // exit error
}

// look starts a child and delivers its outcomes.
func (c *children) look(ctx context.Context, before carried, deliver func(outcome)) (hanging, error) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	one, err := c.start(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("start a process that looks: %w", err)
	}
	defer one.answers.Close()
	defer context.AfterFunc(ctx, func() { _ = one.answers.SetReadDeadline(time.Now()) })()
	last, err := receive(one.answers, deliver)
	if last == nil {
		return nil, fmt.Errorf("the process that looks told nothing: %w", one.why(ctx, err))
	}
	if last.More {
		deliver(outcome{Failed: fmt.Sprintf("write the report: the process that looks ended before: %v", one.why(ctx, err)), Carried: last.Carried})
	}
	out := without(last.Carried.Out, before.Out)
	return func() map[string]time.Time {
		select {
		case <-one.ended:
			return nil // with its calls
		default:
			return out
		}
	}, nil
}

// start starts a child after the last one has exited. It does not wait if the executable cannot be read.
func (c *children) start(ctx context.Context, before carried) (*child, error) {
	if c.last != nil {
		select {
		case <-c.last.ended:
		case <-time.After(endLimit):
			return nil, errors.New("that of an earlier look hangs")
		}
	}
	input, err := json.Marshal(before)
	if err != nil {
		return nil, err
	}
	asked, ask, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, answer, err := os.Pipe()
	if err != nil {
		asked.Close()
		ask.Close()
		return nil, err
	}
	one := &child{answers: answers, ended: make(chan struct{})}
	c.last = one
	started := make(chan error, 1)
	go func() {
		defer close(one.ended)
		process, err := os.StartProcess(thisProgram, append([]string{os.Args[0], lookCommand}, c.args...), &os.ProcAttr{Env: os.Environ(), Files: []*os.File{asked, answer, os.Stderr}})
		asked.Close()
		answer.Close()
		started <- err
		if err == nil {
			one.err = wait(ctx, process)
		}
	}()
	go func() {
		_, _ = ask.Write(input) // a child that fails to read its input reports nothing
		ask.Close()
	}()
	select {
	case err = <-started:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		answers.Close()
		return nil, err
	}
	return one, nil
}

// wait waits until the process has exited. It kills the process when ctx ends.
func wait(ctx context.Context, process *os.Process) error {
	defer context.AfterFunc(ctx, func() { _ = process.Kill() })()
	state, err := process.Wait()
	if err == nil && !state.Success() {
		err = errors.New(state.String())
	}
	return err
}

// receive delivers the outcomes of a child until the child reports the last one. It returns the last outcome, or nil if
// there was none.
func receive(from io.Reader, deliver func(outcome)) (last *outcome, err error) {
	for d := json.NewDecoder(io.LimitReader(from, maxOutcomes)); ; {
		var o outcome
		if err := d.Decode(&o); err != nil {
			return last, err
		}
		deliver(o)
		if last = &o; !o.More {
			return last, nil
		}
	}
}

// why returns why a child failed, or nil.
func (c *child) why(ctx context.Context, err error) error {
	if !errors.Is(err, io.EOF) {
		return cmp.Or(ctx.Err(), err)
	}
	<-c.ended // the child has closed its output
	return cmp.Or(c.err, err)
}

// runChild takes one snapshot with the settings of the parent process.
func runChild(l looker) error {
	runtime.GOMAXPROCS(1)                                // a snapshot must not use more CPU of the node
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0) // the name in ps
	var before carried
	if err := json.NewDecoder(os.Stdin).Decode(&before); err != nil {
		return fmt.Errorf("read what the look before left: %w", err)
	}
	tell := json.NewEncoder(os.Stdout)
	_, err := l.look(context.Background(), before, func(o outcome) { _ = tell.Encode(o) }) // the parent may have exited
	return err
}
