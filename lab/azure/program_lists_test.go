package azure_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// list runs a list command of the program and decodes its JSON.
func list(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command(program, append(args, "-o", "json")...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || out.Len() == 0 {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, errs.String())
	}
	t.Logf("%s: %.1f s, %d MiB", args[0], time.Since(began).Seconds(), peak(cmd.ProcessState)>>20)
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatalf("read %s: %v", args[0], err)
	}
}

type pools struct {
	Pools []struct {
		Name, Source, Mode, Size, State, Version, Image string
		Count                                           *int
		Nodes                                           int
		Zones, Odd                                      []string
		Upgrade                                         struct{ MaxSurge string }
	}
}

type operations struct {
	Verdict string
	States  []struct {
		Kind, Name, State, Power string
		Odd                      []string
	}
	Operations []struct {
		Operation, Status, Caller, Code, Message string
		Steps                                    int
		Odd                                      []string
	}
}

type machine struct {
	Machine struct {
		Source, Group, Set, Number, State, Power, Answer string
		Extensions                                       []struct{ Name, State string }
	}
}

// The lists show the state of the emulator: live, and from a bundle of it.
func TestLists(t *testing.T) {
	now := time.Now()
	s, err := azure.Load("subnet-full", now)
	if err != nil {
		t.Fatal(err)
	}
	e := azure.Start(&s.State)
	defer e.Close()
	kubeconfig, changed := kubernetes(t, s.Cluster(now))
	live := []string{"--kubeconfig", kubeconfig, "--azure-endpoint", e.URL}
	for name, from := range map[string][]string{"live": live, "bundle": {"-f", bundle(t, live...)}} {
		t.Run(name, func(t *testing.T) {
			var p pools
			list(t, &p, append([]string{"pools"}, from...)...)
			if len(p.Pools) != 1 || p.Pools[0].Source != "cloud" || p.Pools[0].Mode != "User" || p.Pools[0].Size != "Standard_D4s_v5" || p.Pools[0].Upgrade.MaxSurge != "10%" || len(p.Pools[0].Odd) == 0 {
				t.Errorf("pools %+v", p)
			}
			var o operations
			list(t, &o, append([]string{"operations"}, from...)...)
			failed := o.Operations[0]
			for _, one := range o.Operations {
				if one.Code != "" {
					failed = one
				}
			}
			if o.Verdict != "warning" || len(o.States) != 2 || !strings.Contains(failed.Code, "Subnet") || failed.Message == "" {
				t.Errorf("operations %+v", o)
			}
			var m machine
			node := s.Cluster(now)[0]["metadata"].(map[string]any)["name"].(string)
			list(t, &m, append([]string{"nodes", node}, from...)...)
			if m.Machine.Source != "cloud" || m.Machine.Power != "running" || m.Machine.Number != "0" || m.Machine.Answer != "Ready" || len(m.Machine.Extensions) != 1 {
				t.Errorf("machine %+v", m)
			}
		})
	}
	if len(*changed) > 0 {
		t.Errorf("changes %q", *changed)
	}
}

// With 5,000 nodes, each list is complete as soon as the cluster was read.
func TestListsOfMany(t *testing.T) {
	now := time.Now()
	s := big(t, 5, 1000, 50, true, now)
	e := azure.Start(&s.State)
	defer e.Close()
	kubeconfig, _ := kubernetes(t, s.Cluster(now))
	live := []string{"--kubeconfig", kubeconfig, "--azure-endpoint", e.URL}
	var p pools
	list(t, &p, append([]string{"pools"}, live...)...)
	if len(p.Pools) != 5 || p.Pools[0].Nodes != 1000 {
		t.Errorf("pools %+v", p)
	}
	list(t, &p, append([]string{"pools", "--pool", "p3"}, live...)...)
	var o operations
	list(t, &o, append([]string{"operations"}, live...)...)
	var all struct{ Nodes int }
	list(t, &all, append([]string{"nodes"}, live...)...)
	var m machine
	list(t, &m, append([]string{"nodes", s.Cluster(now)[7]["metadata"].(map[string]any)["name"].(string)}, live...)...)
}

// The log of the last day is read, or more if the user requests it.
func TestOperationsOfDaysAgo(t *testing.T) {
	now := time.Now()
	s, err := azure.Load("subnet-full", now)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range slices.Clone(s.Activities) {
		at, err := time.Parse(time.RFC3339, a["eventTimestamp"].(string))
		if err != nil {
			t.Fatal(err)
		}
		old := maps.Clone(a)
		old["eventTimestamp"], old["caller"] = at.Add(-50*time.Hour).UTC().Format(time.RFC3339), "old@example.com"
		for _, id := range []string{"operationId", "correlationId", "eventDataId"} {
			old[id] = "days-ago"
		}
		s.Activities = append(s.Activities, old)
	}
	e := azure.Start(&s.State)
	defer e.Close()
	kubeconfig, _ := kubernetes(t, s.Cluster(now))
	callers := func(flags ...string) (old, others int) {
		var o operations
		list(t, &o, append([]string{"operations", "--kubeconfig", kubeconfig, "--azure-endpoint", e.URL}, flags...)...)
		for _, one := range o.Operations {
			if one.Caller == "old@example.com" {
				old++
			} else {
				others++
			}
		}
		return old, others
	}
	if old, others := callers(); old > 0 || others == 0 {
		t.Errorf("of the last day: %d old ones, %d others", old, others)
	}
	if old, others := callers("--since", "72h"); old == 0 || others == 0 {
		t.Errorf("of three days: %d old ones, %d others", old, others)
	}
	if old, others := callers("--since", "72h", "--until", "24h"); old == 0 || others > 0 {
		t.Errorf("of the time before the last day: %d old ones, %d others", old, others)
	}
}
