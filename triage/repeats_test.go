package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A command that only repeats what the evidence shows failing is no advice. The same command for something else is.
func TestRepeats(t *testing.T) {
	const (
		pull     = `Failed to pull image "registry.example.com/shop/web:1.2": not found`
		refused  = "The connection to the server 10.0.0.4:6443 was refused - did you specify the right host or port?"
		unset    = "The connection to the server localhost:8080 was refused - did you specify the right host or port?"
		modprobe = "modprobe: FATAL: Module br_netfilter not found in directory /lib/modules/6.1.0"
	)
	for _, c := range []struct {
		line    string
		command shell.Text
		want    bool
	}{
		{pull, "crictl pull registry.example.com/shop/web:1.2", true},
		{pull, "/usr/local/bin/crictl pull registry.example.com/shop/web:1.2", true},
		{pull, "crictl pull <image>", true}, // an unknown name is the one of the message
		{pull, "crictl pull registry.example.com/shop/api:2 # on: node", false},
		{pull, "crictl images", false},
		{pull, "docker pull registry.example.com/shop/web:1.2 # prints <digest>", true},
		{"Pulled image registry.example.com/shop/web:1.2", "crictl pull registry.example.com/shop/web:1.2", false},
		{modprobe, "modprobe br_netfilter", false}, // an agent tried it in its container; on the node it may succeed
		{refused, "kubectl get nodes", true},
		{unset, "kubectl get nodes", false}, // kubectl without a kubeconfig: the server may be well
		{"Unable to connect to the server: dial tcp: i/o timeout", "kubectl get nodes", true},
		{"", "kubectl get nodes", false},
	} {
		if got := adviserOf(c.line).repeats(c.command); got != c.want {
			t.Errorf("%q: %q only repeats it: %v, want %v", c.line, c.command, got, c.want)
		}
	}
}

// A remedy that begins with what failed is left out, unless something changes before; a command that prints a name changes nothing.
func TestBeginsWithRepeat(t *testing.T) {
	x := adviserOf(`Failed to pull image "registry.example.com/web:1": not found`)
	for _, c := range []struct {
		name     string
		commands []shell.Text
		want     bool
	}{
		{"it only repeats", []shell.Text{"crictl pull registry.example.com/web:1"}, true},
		{"it prints a name first", []shell.Text{"crictl images # prints <image>", "crictl pull <image>"}, true},
		{"it signs in first", []shell.Text{"kubectl create secret docker-registry pull", "crictl pull registry.example.com/web:1"}, false},
		{"it only prints", []shell.Text{"crictl images # prints <image>"}, false},
		{"it has no command", nil, false},
	} {
		if got := x.beginsWithRepeat(catalog.Remedy{Commands: c.commands}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
