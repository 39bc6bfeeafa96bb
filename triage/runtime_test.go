package triage

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Commands that manage the runtime name its own unit, and other commands do not change.
func TestRuntimeUnitInCommands(t *testing.T) {
	commands := []shell.Text{
		"journalctl -u containerd -n 300 --no-pager > /tmp/runtime.log", "systemctl restart containerd", "systemctl enable --now containerd",
		"du -xsh /var/lib/containerd", "journalctl -u containerd -u crio -u docker -n 100",
	}
	want := []shell.Text{
		"journalctl -u crio -n 300 --no-pager > /tmp/runtime.log", "systemctl restart crio", "systemctl enable --now crio",
		"du -xsh /var/lib/containerd", "journalctl -u crio -u crio -u docker -n 100",
	}
	if got := ofRuntime("crio", commands); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := ofRuntime("", commands); !slices.Equal(got, commands) {
		t.Errorf("without another runtime: %q", got)
	}
}
