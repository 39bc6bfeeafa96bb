//go:build linux

package lab

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// service is a systemd unit.
type service struct {
	m    *Machine
	name string
}

// patience is the timeout of a systemd operation; systemd kills a unit that does not stop after a minute and a half.
const patience = 2 * time.Minute

func (s service) ask(args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := s.m.Run(ctx, append([]string{"systemctl"}, args...)...)
	return err
}

// Start does not wait: a unit that cannot start is retried repeatedly. A unit at its start limit may be started again.
func (s service) Start() error {
	_ = s.ask("reset-failed", s.name) // there may be no failed state to reset
	return s.ask("start", "--no-block", s.name)
}

func (s service) Stop() error { return s.ask("stop", s.name) }

func (s service) Restart() error {
	if err := s.Stop(); err != nil {
		return err
	}
	return s.Start()
}

func (s service) Signal(signal syscall.Signal) error {
	return s.ask("kill", "--kill-whom=main", fmt.Sprintf("--signal=%d", signal), s.name)
}

// Mark returns the journal cursor of the current end.
func (s service) Mark() (string, error) {
	out, err := s.m.Run(context.Background(), "journalctl", "--no-pager", "-q", "-n", "1", "-o", "cat", "--show-cursor")
	if err != nil {
		return "", fmt.Errorf("find the end of the journal: %w", err)
	}
	_, cursor, ok := strings.Cut(out, "-- cursor: ")
	if !ok {
		return "", fmt.Errorf("find the end of the journal: it names none: %q", out)
	}
	return strings.TrimSpace(cursor), nil
}

// Said returns the journal of the unit as a user sees it.
func (s service) Said(mark string) ([]byte, error) {
	args := []string{"timeout", "20", "journalctl", "--no-pager", "-q", "-u", s.name}
	if mark != "" {
		args = append(args, "--after-cursor="+mark)
	}
	out, err := s.m.Run(context.Background(), args...)
	if err != nil && mark != "" && !bytes.Contains([]byte(out), []byte("\n")) {
		return nil, fmt.Errorf("read the journal of %s: %w", s.name, err)
	}
	return []byte(out), nil
}
