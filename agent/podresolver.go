package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// podResolver reads the resolv.conf that the kubelet gives to pods with dnsPolicy Default: from the flag, the
// configuration, or the node (kubernetes pkg/kubelet/network/dns/dns.go and
// pkg/kubelet/apis/config/v1beta1/defaults_linux.go, 1.36.3).
func podResolver(_ context.Context, h *Host, r *nodereport.Report) error {
	s := h.kubelet()
	switch {
	case s.configErr != nil:
		return fmt.Errorf("the kubelet's configuration (resolvConf) was not read: %w", s.configErr)
	case s.configFile == "" && s.pid == 0:
		return nil // the kubelet does not run, or runs inside another program
	}
	file := cmp.Or(s.flags["resolv-conf"], s.config.ResolverConfig, resolverFile)
	text, err := h.read(file, maxFile)
	if err != nil {
		return err
	}
	servers := nameServers(string(text))
	r.PodResolver = &nodereport.PodResolver{File: file, Servers: servers, Ref: file + ": nameserver " + strings.Join(servers, " ")}
	return nil
}
