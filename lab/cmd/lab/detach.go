//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// A "lab serve" process owns a lab in the background. Its folder contains a socket: a client gets a line with the path
// of the kubeconfig, and may send a request (see request.go).

func folder(name string) (string, error) {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("name %q: use letters, digits and dashes", name)
	}
	cache, err := lab.CacheDir()
	return filepath.Join(cache, "run", name), err
}

// connect returns the kubeconfig of the control plane with that name, and the connection to it.
func connect(dir string) (net.Conn, string, error) {
	conn, err := net.Dial("unix", filepath.Join(dir, "control"))
	if err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		conn.Close()
		return nil, "", err
	}
	return conn, strings.TrimSpace(line), nil
}

const stopTimeout = 5 * time.Minute // a busy machine is slow; usually this takes seconds

func up(ctx context.Context, name string, opt lab.Options, scenario string) error {
	if err := knownScenario(scenario); err != nil {
		return err
	}
	dir, err := folder(name)
	if err != nil {
		return err
	}
	if conn, kubeconfig, err := connect(dir); err == nil {
		conn.Close()
		if scenario != "" {
			return fmt.Errorf("start control plane %s with scenario %s: it is there already; lab down --name %s first", name, scenario, name)
		}
		fmt.Printf("export KUBECONFIG=%s\n", kubeconfig)
		return nil
	}
	if err := build(ctx, opt.Kubernetes, opt.Machines); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ready, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd := exec.Command(self, "serve", "--name="+name, fmt.Sprintf("--still=%t", opt.Still), fmt.Sprintf("--real=%t", opt.Machines), "--kubernetes="+opt.Kubernetes, "--azure="+scenario)
	cmd.Stdout = theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	theirs.Close()
	// Ctrl-C does not reach a separate session.
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	text, _ := io.ReadAll(ready) // ends when the other side is ready or gone
	if !stop() {                 // it was asked to end
		return errors.Join(fmt.Errorf("start control plane %s: %w", name, context.Cause(ctx)), cmd.Wait())
	}
	if len(text) == 0 {
		return fmt.Errorf("start control plane %s: see %s", name, dir)
	}
	fmt.Printf("export KUBECONFIG=%s\n", strings.TrimSpace(string(text))) // followed by the output of serve
	return cmd.Process.Release()
}

func serve(ctx context.Context, name string, opt lab.Options, scenario string) error {
	dir, err := folder(name)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	opt.Dir = dir
	aks, err := prepareAzure(scenario, &opt)
	if err != nil {
		return err
	}
	defer aks.close()
	c, err := lab.Start(ctx, opt)
	if ctx.Err() != nil && err != nil {
		return errors.Join(err, os.RemoveAll(dir)) // the reason of the failed start is not needed
	}
	if err != nil {
		os.WriteFile(filepath.Join(dir, "error"), []byte(err.Error()), 0o600)
		return err
	}
	defer os.RemoveAll(dir)
	defer c.Stop()
	how, err := aks.join(ctx, c)
	if err != nil {
		os.WriteFile(filepath.Join(dir, "error"), []byte(err.Error()), 0o600)
		return err
	}
	control, err := net.Listen("unix", filepath.Join(dir, "control"))
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { control.Close() })
	fmt.Printf("%s\n%s", c.Kubeconfig, how)
	os.Stdout.Close()
	s := &server{plane: c, stop: func() { control.Close() }}
	for {
		conn, err := control.Accept()
		if err != nil {
			break
		}
		go s.answer(ctx, conn)
	}
	s.close()
	return nil
}

func down(name string) error {
	dir, err := folder(name)
	if err != nil {
		return err
	}
	if err := ask(name, request{Command: "down"}); err != nil {
		return err
	}
	for deadline := time.Now().Add(stopTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil
		}
	}
	return fmt.Errorf("stop control plane %s: %s is still there after %s", name, dir, stopTimeout)
}
