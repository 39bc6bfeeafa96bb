package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/wording"
)

// longOutput collects the output for a terminal, to find out if it needs a pager.
type longOutput struct {
	bytes.Buffer
	terminal *os.File
}

// terminalOf returns the terminal that a writer writes to; nil if it writes elsewhere.
func terminalOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *longOutput:
		return w.terminal
	case *os.File:
		if term.IsTerminal(int(w.Fd())) {
			return w
		}
	}
	return nil
}

// paged runs write. On a terminal, output with more rows than the terminal goes through a pager. Everything that write writes
// is cleaned by package report, as without a pager.
func (o *outputFlags) paged(w io.Writer, write func(io.Writer) error) error {
	terminal := terminalOf(w)
	if terminal == nil || o.noPager {
		return write(w)
	}
	p := &longOutput{terminal: terminal}
	err := write(p)
	columns, rows := sizeOf(terminal)
	command := pagerCommand()
	if len(command) == 0 || rowsOn(p.String(), columns) < rows {
		_, writeErr := p.WriteTo(w)
		return errors.Join(err, writeErr)
	}
	return errors.Join(err, runPager(command, terminal, p.Bytes()))
}

// sizeOf returns the size of a terminal. One that does not know its size is taken for large.
func sizeOf(terminal *os.File) (columns, rows int) {
	columns, rows, err := term.GetSize(int(terminal.Fd()))
	if err != nil || columns == 0 || rows == 0 {
		return helpWidth, math.MaxInt
	}
	return columns, rows
}

// pagerCommand returns the command of the user's pager; empty if there is none.
func pagerCommand() []string {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	for _, name := range []string{"NODETRIAGE_PAGER", "PAGER"} {
		if command, set := os.LookupEnv(name); set {
			return strings.Fields(command)
		}
	}
	if less, err := exec.LookPath("less"); err == nil {
		return []string{less}
	}
	return nil
}

// runPager shows the text in the pager and waits until it ends. Its exit code does not matter, and it need not read everything.
func runPager(command []string, terminal *os.File, text []byte) error {
	// It ends when the reader ends it, not with the command.
	cmd := exec.CommandContext(context.Background(), command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = terminal, os.Stderr
	if _, set := os.LookupEnv("LESS"); !set { // as git does: end if the text fits, show colours, keep the text on the screen
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "nodetriage: start the pager: %s\n", said(err))
		_, err = terminal.Write(text)
		return err
	}
	withoutInterrupts(func() { // after the start of the pager, which would inherit that they are ignored
		_, _ = in.Write(text) // fails if the pager ended early
		_ = in.Close()
		_ = cmd.Wait()
	})
	return nil
}

// rowsOn returns how many rows of a terminal the text takes.
func rowsOn(text string, columns int) int {
	n := 0
	for line := range strings.Lines(text) {
		n += wording.Rows(line, columns)
	}
	return n
}
