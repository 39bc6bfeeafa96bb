//go:build unix

package lab

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

var errEnded = errors.New("ended")

// process is a running program, with its output in a file.
type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// start runs the program in a separate process group, so that only Stop passes a Ctrl-C on to it.
func start(name, program, dir string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, out, out
	p.cmd.SysProcAttr = attributes()
	started := make(chan error)
	go func() {
		// The kernel kills the child when the thread that started it ends, so this thread stays as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := p.cmd.Start(); err != nil {
			started <- fmt.Errorf("start %s: %w", name, err)
			return
		}
		started <- nil
		p.cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// stop ends the program: with SIGTERM, then after two seconds with SIGKILL. No program of a lab needs longer.
func (p *process) stop() {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if err := syscall.Kill(-p.cmd.Process.Pid, signal); errors.Is(err, syscall.ESRCH) {
			break
		}
		select {
		case <-p.done:
			return
		case <-time.After(2 * time.Second):
		}
	}
	<-p.done
}

// ended reports whether the program has exited, and its last log lines.
func (p *process) ended() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	return fmt.Errorf("%s %w (%s): %s", p.name, errEnded, p.cmd.ProcessState, lastLines(p.log))
}

// lastLines returns the last five lines of a log.
func lastLines(path string) []byte {
	text, _ := os.ReadFile(path)
	return lastOf(text)
}

func lastOf(text []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-5):], []byte("\n"))
}
