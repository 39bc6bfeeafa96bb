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

// A look needs several times the memory that the agent has between two of them, so a child makes it and ends with it.
const (
	// lookCommand is the first argument of the child, and nobody else's.
	lookCommand = "look"
	// lookLimit is longer than the slowest probe and saving take, also on a busy machine.
	lookLimit = 2 * time.Minute
	// endLimit is how long a child may take to end after its last word.
	endLimit = 5 * time.Second
	// maxOutcomes is more than a look has to tell, in bytes.
	maxOutcomes = 64 << 20
)

// thisProgram is the file that runs, found without a look into any folder, and also where another was put in its place.
const thisProgram = "/proc/self/exe"

// children makes each look in a process of its own. One is left behind at most: it holds its memory while a thread of it hangs in the
// kernel.
type children struct {
	args []string // this program's
	last *child
}

// child is one process. It has ended, or could not be started, when the channel is closed.
type child struct {
	answers *os.File
	ended   chan struct{}
	err     error // with which it ended
}

// look starts a child and hands over what it tells.
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

// start starts a child once the last has ended, and does not wait for one whose program cannot be read.
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
		_, _ = ask.Write(input) // a child that does not read it tells nothing
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

// wait waits until the process has ended, which it is told to when ctx ends.
func wait(ctx context.Context, process *os.Process) error {
	defer context.AfterFunc(ctx, func() { _ = process.Kill() })()
	state, err := process.Wait()
	if err == nil && !state.Success() {
		err = errors.New(state.String())
	}
	return err
}

// receive hands over what a child tells until it says that this is all. It returns the last of it; nil: there was none.
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

// why says of what a child died, or that it did not.
func (c *child) why(ctx context.Context, err error) error {
	if !errors.Is(err, io.EOF) {
		return cmp.Or(ctx.Err(), err)
	}
	<-c.ended // it has closed its output
	return cmp.Or(c.err, err)
}

// runChild makes one look, as the process that started it asks for.
func runChild(l looker) error {
	runtime.GOMAXPROCS(1)                                // one look is not to take more of the node
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0) // as which ps shows it
	var before carried
	if err := json.NewDecoder(os.Stdin).Decode(&before); err != nil {
		return fmt.Errorf("read what the look before left: %w", err)
	}
	tell := json.NewEncoder(os.Stdout)
	_, err := l.look(context.Background(), before, func(o outcome) { _ = tell.Encode(o) }) // whoever asked may have ended
	return err
}
