//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// StartResolver starts a name server in the network of the machines and returns its address. It answers every question
// with NXDOMAIN.
func (c *ControlPlane) StartResolver(ctx context.Context) (string, error) {
	program, err := BuildCoreDNS(ctx, c.log)
	if err != nil {
		return "", err
	}
	corefile := filepath.Join(c.Dir, "resolver.Corefile")
	if err := os.WriteFile(corefile, []byte(". {\n    bind "+hubAddress+"\n    template ANY ANY {\n        rcode NXDOMAIN\n    }\n    errors\n}\n"), 0o600); err != nil {
		return "", err
	}
	hub := strconv.Itoa(c.hub.holder.cmd.Process.Pid)
	if c.hub.resolver, err = start("resolver", "nsenter", c.Dir, "-t", hub, "-n", program, "-conf", corefile); err != nil {
		return "", fmt.Errorf("start the resolver: %w", err)
	}
	return hubAddress, poll(ctx, "the resolver answers", func() error {
		if err := c.hub.resolver.ended(); err != nil {
			return err
		}
		return c.hub.asked(ctx)
	})
}

// asked reports whether the resolver answers: NXDOMAIN is an answer.
func (h *hub) asked(ctx context.Context) error {
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (conn net.Conn, err error) {
		dial := func() (err error) { conn, err = net.Dial("udp4", hubAddress+":53"); return }
		err = h.inside(dial)
		return conn, err
	}}
	_, err := resolver.LookupHost(ctx, "host.example.com.")
	if failed := new(net.DNSError); errors.As(err, &failed) && failed.IsNotFound {
		return nil
	}
	return err
}
