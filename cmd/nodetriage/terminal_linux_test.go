package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/nodetriage/nodetriage/report"
)

// terminal is a pseudo-terminal and what was written to it.
type terminal struct {
	*os.File // the side of the program
	master   *os.File
	mu       sync.Mutex
	got      bytes.Buffer
	read     chan struct{} // closed when everything was read
}

func openTerminal(rows, columns int) (*terminal, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}); err != nil {
		return nil, err
	}
	file, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	t := &terminal{File: file, master: master, read: make(chan struct{})}
	go func() {
		defer close(t.read)
		for buf := make([]byte, 4096); ; {
			n, err := master.Read(buf)
			t.mu.Lock()
			t.got.Write(buf[:n])
			t.mu.Unlock()
			if err != nil { // EIO: the other side was closed
				return
			}
		}
	}()
	return t, nil
}

// finish closes the program's side and returns everything that was written.
func (t *terminal) finish() string {
	_ = t.Close()
	<-t.read
	_ = t.master.Close()
	return strings.ReplaceAll(t.got.String(), "\r\n", "\n")
}

// onTerminal runs a command whose output is a terminal: terminal ROWS [NAME=VALUE...] COMMAND ARGS. The file screen has what was
// written. It has 80 columns. An exit code is no failure.
func onTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: terminal ROWS [NAME=VALUE...] COMMAND ARGS")
	}
	rows, err := strconv.Atoi(args[0])
	ts.Check(err)
	env := []string{"TERM=xterm"}
	for _, name := range []string{"PATH", "HOME", "WORK", "KUBECONFIG", "XDG_CONFIG_HOME", "TMPDIR"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	for args = args[1:]; strings.Contains(args[0], "="); args = args[1:] {
		env = append(env, args[0])
	}
	screen, err := openTerminal(rows, 80)
	ts.Check(err)
	path := ""
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), ":") {
		if _, err := os.Stat(dir + "/" + args[0]); err == nil && path == "" {
			path = dir + "/" + args[0]
		}
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), env, screen.File, screen.File
	ts.Check(cmd.Start())
	stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	_ = cmd.Wait()
	ts.Check(os.WriteFile(ts.MkAbs("screen"), []byte(screen.finish()), 0o600))
}

// A watched view is drawn in place and cut to the height of the terminal. A failed refresh keeps the view.
func TestWatchOnATerminal(t *testing.T) {
	screen, err := openTerminal(5, 40)
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	pageOf := func(lines ...string) look {
		return look{page: func(w io.Writer, s report.Style) error {
			_, err := fmt.Fprintf(w, "of %d rows\n%s\n", s.Rows, strings.Join(lines, "\n"))
			return err
		}}
	}
	looks := []look{pageOf("two", "three", "four", "five", "six"), {}, pageOf(strings.Repeat("x", 40), strings.Repeat("y", 41))}
	ctx, cancel := context.WithCancel(t.Context())
	f, n := watchFlags{on: true, every: time.Microsecond}, 0
	err = f.run(ctx, screen.File, &outputFlags{}, func() (look, error) {
		n++
		switch {
		case n > len(looks):
			cancel()
			return look{}, ctx.Err()
		case looks[n-1].page == nil:
			return look{}, errors.New("no answer")
		}
		return looks[n-1], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first := "\x1b[Hof 4 rows\x1b[K\ntwo\x1b[K\nthree\x1b[K\n... 3 more rows\x1b[K\n"
	want := first + "T (refreshed every 1µs, Ctrl-C \x1b[K\x1b[J" +
		first + "T refresh failed: no answer (re\x1b[K\x1b[J" +
		"\x1b[Hof 4 rows\x1b[K\n" + strings.Repeat("x", 40) + "\n" + strings.Repeat("y", 41) + "\x1b[K\nT (refreshed every 1µs, Ctrl-C \x1b[K\x1b[J"
	if got := clockTime.ReplaceAllString(screen.finish(), "T"); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
