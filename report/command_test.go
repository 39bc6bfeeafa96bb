package report

import (
	"slices"
	"strings"
	"testing"
)

// A command is split where a shell would split it, and not at all where that is unsure.
func TestArguments(t *testing.T) {
	for command, want := range map[string][]string{
		"kubectl get pods":                   {"kubectl", "get", "pods"},
		"a 'b  c' d":                         {"a", "'b  c'", "d"},
		`a "b \" c" d`:                       {"a", `"b \" c"`, "d"},
		`a b\ c`:                             {"a", `b\ c`},
		"a  b ":                              {"a", "b"},
		"a # a comment":                      {"a", "# a comment"},
		"a 'open":                            nil,
		"a $(b c":                            nil,
		`a "$(b -c 'd e)' | f)" g`:           {"a", `"$(b`, "-c", "'d e)'", "|", `f)"`, "g"},
		"for i in $(a b); do c; done":        {"for", "i", "in", "$(a", "b);", "do", "c;", "done"},
		`a '$(b c)' "d $e (f g)"`:            {"a", `'$(b c)'`, `"d $e (f g)"`},
		"a\nb":                               nil,
		`kubectl get -o jsonpath='{"\n"}' x`: {"kubectl", "get", "-o", `jsonpath='{"\n"}'`, "x"},
		"sed -i 's/a b/c/' f && systemctl reload": {"sed", "-i", "'s/a b/c/'", "f", "&&", "systemctl", "reload"},
	} {
		if got := arguments(command); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// A long command is continued so that the joined rows are the command.
func TestCommandRows(t *testing.T) {
	style := Style{Width: 60}
	for _, command := range []string{
		"az vmss get-instance-view -g MC_rg-prod_aks-prod_westeurope -n aks-user-18922340-vmss --instance-id 2 --query statuses[].code",
		"kubectl get pods -A --field-selector spec.nodeName=aks-user-18922340-vmss000002 -o 'custom-columns=A B:.metadata.name,C:.status.phase'",
		`for p in kubelet containerd; do for i in $(pidof $p); do echo "$p $i $(ls /proc/$i/fd | wc -l)"; done; done | sort`,
	} {
		rows := style.commandRows(command, 5)
		if len(rows) < 2 {
			t.Errorf("%s: one row", command)
		}
		var parts []string
		for i, row := range rows {
			row = strings.TrimSpace(row)
			if i < len(rows)-1 {
				row = strings.TrimSuffix(row, continued)
			}
			parts = append(parts, row)
		}
		if got := strings.Join(parts, " "); got != command {
			t.Errorf("got %s", got)
		}
	}
}

// An option and its value stand in one row, unless that does not fit.
func TestCommandRowsKeepOptions(t *testing.T) {
	for command, want := range map[string][]string{
		"az aks nodepool add -g rg-prod --cluster-name aks-prod -n user2 --mode User --node-count 3": {
			`az aks nodepool add -g rg-prod --cluster-name aks-prod \`,
			"  -n user2 --mode User --node-count 3",
		},
		"kubectl -n shop patch pdb web-frontend --type merge -p '{\"spec\":{\"minAvailable\":null}}' --dry-run=server": {
			`kubectl -n shop patch pdb web-frontend --type merge \`,
			`  -p '{"spec":{"minAvailable":null}}' --dry-run=server`,
		},
		"kubectl get pods --all-namespaces --field-selector spec.nodeName=aks-user-18922340-vmss000002-and-more": {
			`kubectl get pods --all-namespaces --field-selector \`,
			"  spec.nodeName=aks-user-18922340-vmss000002-and-more",
		},
		"journalctl -u kubelet --since -1h --no-pager --output short | grep -E 'error|failed'": {
			`journalctl -u kubelet --since -1h --no-pager \`,
			"  --output short | grep -E 'error|failed'",
		},
	} {
		if got := (Style{Width: 60}).commandRows(command, 2); !slices.Equal(trimmed(got, 2), want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// trimmed returns the rows without their indent.
func trimmed(rows []string, indent int) []string {
	var out []string
	for _, row := range rows {
		out = append(out, row[indent:])
	}
	return out
}

// A step in words is wrapped so that a shell ignores each row.
func TestStepRows(t *testing.T) {
	style := Style{Width: 40}
	rows := style.commandRows("# EDIT /etc/crio/crio.conf: cgroup_manager = \"cgroupfs\", conmon_cgroup = \"pod\"", 5)
	if len(rows) < 2 {
		t.Errorf("one row: %q", rows)
	}
	for _, row := range rows {
		if !strings.HasPrefix(row, "     # ") || len(row) > 40 {
			t.Errorf("%q", row)
		}
	}
}

// The names that a command prints stand above it, because zsh reads a comment behind a command as arguments.
func TestPrintedNamesStandAbove(t *testing.T) {
	got := (Style{Width: 40}).commandRows("kubectl get nodes -o wide # prints <node>: the one of the messages", 2)
	want := []string{"# prints <node>: the one of the", "# messages", "kubectl get nodes -o wide"}
	if !slices.Equal(trimmed(got, 2), want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A command that reads evidence reads the files of the answer again; a command that writes does not.
func TestCommandsReadTheSameEvidence(t *testing.T) {
	s := Style{Evidence: "-f shop.tar.gz"}
	for command, want := range map[string]string{
		"nodetriage diagnose worker-3":                 "nodetriage diagnose worker-3 -f shop.tar.gz",
		"nodetriage why web-0 -n shop # prints <node>": "nodetriage why web-0 -n shop -f shop.tar.gz # prints <node>",
		"nodetriage drain worker-3 --plan":             "nodetriage drain worker-3 --plan -f shop.tar.gz",
		"nodetriage drain worker-3":                    "nodetriage drain worker-3",
		"nodetriage verify worker-3 -f other.tar.gz":   "nodetriage verify worker-3 -f other.tar.gz",
		"nodetriage explain disk-pressure":             "nodetriage explain disk-pressure",
		"kubectl get nodes":                            "kubectl get nodes",
		"nodetriage pods | grep Pending":               "nodetriage pods -f shop.tar.gz | grep Pending",
	} {
		if got := s.onEvidence(command); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
	if got := (Style{}).onEvidence("nodetriage pods"); got != "nodetriage pods" {
		t.Errorf("on a cluster: %s", got)
	}
}
