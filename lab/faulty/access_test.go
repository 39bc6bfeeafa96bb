//go:build unix

package faulty_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/nodetriage/nodetriage/lab/faulty"
)

// noAccess is a reason why nothing of the cluster can be read.
type noAccess struct {
	name string
	// kubeconfig of the place, which stores files in its folder.
	kubeconfig func(*place, *testing.T) string
	fault      *faulty.Fault
	timeout    string
	codes      []int  // the reason in the documentation
	reason     string // an expression for the output of every command
}

var noAccesses = []noAccess{
	{"expired login", (*place).own, &faulty.Fault{How: faulty.Unauthorized}, "1m", []int{failed, unclear}, `unauthorized`},
	{"login plugin hangs", (*place).plugin, nil, "2s", []int{failed, unclear}, `(?i)plugin|credentials`},
	{"server refuses connections", (*place).closed, nil, "1m", []int{failed}, `cannot be reached`},
	{"server never answers", (*place).own, &faulty.Fault{How: faulty.Hang}, "2s", []int{failed}, `cannot be reached`},
}

const failed = 1

// If the login fails or the server is unreachable, every command reports it and draws no conclusion.
func TestNoAccess(t *testing.T) {
	places := open(t, "no-access")
	saveBefore(t, places)
	wells := make([]answer, len(commands))
	sideBySide(t, places, len(commands), func(ctx context.Context, p *place, i int) (err error) {
		wells[i], err = p.ask(ctx, commands[i], nil)
		return err
	})
	for _, n := range noAccesses {
		t.Run(n.name, func(t *testing.T) {
			for _, p := range places {
				own := p.kubeconfig
				p.kubeconfig, p.timeout = n.kubeconfig(p, t), n.timeout
				defer func() { p.kubeconfig, p.timeout = own, "" }()
			}
			sideBySide(t, places, len(commands), func(ctx context.Context, p *place, i int) error {
				a, err := p.ask(ctx, commands[i], n.fault)
				if wrong := n.judge(commands[i], a, wells[i], p.dir); len(wrong) > 0 {
					t.Errorf("%s: %s\n%s", commands[i].name, strings.Join(wrong, "; "), a)
				}
				return err
			})
		})
	}
}

func (n noAccess) judge(c command, a, well answer, dir string) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	text := a.out + "\n" + a.stderr
	if !slices.Contains(n.codes, a.code) {
		say("exit code %d, want one of %v", a.code, n.codes)
	}
	if !regexp.MustCompile(n.reason).MatchString(strings.Join(strings.Fields(text), " ")) {
		say("it does not say %q", n.reason)
	}
	for _, claim := range c.well {
		if strings.Contains(text, claim) {
			say("it says %q", claim)
		}
	}
	if list := passedIn(a.out); len(list) > 0 {
		say("checks passed: %v", list)
	}
	for line := range strings.Lines(text) {
		if notThere.MatchString(line) && !strings.Contains(well.out+well.stderr, line) {
			say("it says %q", strings.TrimSpace(line))
		}
	}
	if c.name != "collect" {
		return wrong
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*"+after+"*")); len(left) > 0 {
		say("it left %v", left)
	}
	return wrong
}

// own is the kubeconfig for the proxy.
func (p *place) own(*testing.T) string { return p.kubeconfig }

// closed uses a port without a listener.
func (p *place) closed(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return p.write(t, `{"server": "http://`+l.Addr().String()+`"}`, "{}")
}

// plugin gets its credentials from a program that never ends.
func (p *place) plugin(t *testing.T) string {
	pids := filepath.Join(p.dir, "plugins")
	script := filepath.Join(p.dir, "login")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho $$ >> '"+pids+"'\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		list, _ := os.ReadFile(pids)
		for _, pid := range strings.Fields(string(list)) {
			if n, err := strconv.Atoi(pid); err == nil {
				_ = syscall.Kill(n, syscall.SIGKILL)
			}
		}
	})
	config, err := plane.Config() // plugins require TLS
	if err != nil {
		t.Fatal(err)
	}
	return p.write(t, fmt.Sprintf(`{"server": %q, "certificate-authority": %q}`, config.Host, config.CAFile), `{"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "`+script+`", "interactiveMode": "Never"}}`)
}

// write writes a kubeconfig with a cluster and a user.
func (p *place) write(t *testing.T, cluster, user string) string {
	path := filepath.Join(p.dir, "config")
	text := `{"apiVersion": "v1", "kind": "Config", "current-context": "lab", "clusters": [{"name": "lab", "cluster": ` + cluster + `}],
		"contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "me"}}], "users": [{"name": "me", "user": ` + user + `}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
