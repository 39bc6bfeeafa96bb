//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/nodetriage/nodetriage/lab"
)

// request is one line of JSON to a lab in the background. The answer is text with a last line: done, or failed with the
// error.
type request struct {
	Command string
	Count   int `json:",omitempty"`
	Zones   int `json:",omitempty"`
	// Scenario is the scenario to break. File and Program belong to a recording: the output file, and nodetriage.
	Scenario string `json:",omitempty"`
	File     string `json:",omitempty"`
	Program  string `json:",omitempty"`
}

const (
	done   = "done"
	failed = "failed: "
)

// ask sends the request to the lab of that name and prints its answer.
func ask(name string, r request) error {
	dir, err := folder(name)
	if err != nil {
		return err
	}
	conn, _, err := connect(dir)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("there is no control plane %s: lab up starts one", name)
	} else if err != nil {
		return err
	}
	defer conn.Close()
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		return fmt.Errorf("ask the lab for %s: %w", r.Command, err)
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		line := lines.Text()
		if line == done {
			return nil
		}
		if why, ok := strings.CutPrefix(line, failed); ok {
			return errors.New(why)
		}
		fmt.Println(line)
	}
	return fmt.Errorf("the lab ended before it had done %s", r.Command)
}

// server handles the requests of one lab, one at a time.
type server struct {
	plane *lab.ControlPlane
	stop  func()
	mu    sync.Mutex
	now   breakage
}

func (s *server) answer(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	fmt.Fprintln(conn, s.plane.Kubeconfig)
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		return // it only requested the kubeconfig
	}
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		fmt.Fprintf(conn, "%sread the request: %v\n", failed, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.do(ctx, r, conn); err != nil {
		fmt.Fprintln(conn, failed+strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	fmt.Fprintln(conn, done)
}

func (s *server) do(ctx context.Context, r request, out io.Writer) error {
	switch r.Command {
	case "down":
		s.stop()
		return nil
	case "hollow":
		var zones []string
		for z := range r.Zones {
			zones = append(zones, fmt.Sprintf("lab-%d", z+1))
		}
		names, err := s.plane.AddHollow(ctx, r.Count, nil, zones...)
		for _, name := range names {
			fmt.Fprintln(out, name)
		}
		return err
	case "break":
		return s.now.start(ctx, s.plane, r.Scenario, out)
	case "heal":
		return s.now.heal(ctx)
	case "record":
		return s.now.record(ctx, r.Program, r.File)
	case "real", "systemd":
		add := s.plane.AddMachine
		if r.Command == "systemd" {
			add = s.plane.AddSystemd
		}
		for range r.Count {
			m, err := add(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintln(out, m.Name)
		}
		return nil
	}
	return fmt.Errorf("the lab knows no request %q: is it of another version", r.Command)
}

// close waits for the current request.
func (s *server) close() { s.mu.Lock() }
