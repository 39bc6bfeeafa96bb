// The program recorded answers health check requests with judgements of recorded nodes. The lab runs it, and kills it, in place of the
// controller, because nodes with a certain cause cannot be made by the thousand.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/signals"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/upgradegate"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

func main() {
	judge := flag.String("judge", "", "folder with recorded cases: print the judgements of their nodes")
	kubeconfig := flag.String("kubeconfig", "", "the cluster whose requests are answered")
	nodes := flag.String("nodes", "", "file with the nodes of the cluster")
	provider := flag.String("provider", "nodetriage.dev", "the label of the signals")
	flag.Parse()
	run := func() error { return serve(*kubeconfig, *nodes, *provider) }
	if *judge != "" {
		run = func() error { return write(*judge) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Record is a recorded node.
type Record struct {
	Case, Node string
	Class      string // the confirmed cause of the case
	First      string // the first cause if it is certain and stops nodes
	Healthy    bool   // the verdict on the node
	Judgement  gate.Judgement
}

// write prints the judgements of all recorded nodes.
func write(root string) error {
	cat, err := catalog.Builtin()
	if err != nil {
		return err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return err
	}
	all, err := cases.Find(root)
	if err != nil {
		return err
	}
	var out []Record
	for _, c := range all {
		if c.Truth.Provenance != "recorded" {
			continue
		}
		b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, set)
		if err := b.AddFS(c.Evidence); err != nil {
			return fmt.Errorf("read case %s: %w", c.Name, err)
		}
		s := b.Snapshot()
		for _, n := range s.Nodes() {
			if n.Name == "" || n.Condition(corev1.NodeReady) == nil {
				continue
			}
			r := triage.Run(triage.Input{Snapshot: s, Catalog: cat, Signatures: set, Rulebook: rules.All(), Nodes: []string{n.Name}})
			record := Record{Case: c.Name, Node: n.Name, Class: c.Truth.Class, Healthy: r.Verdict == triage.Healthy, Judgement: gate.Of(s, r, cat, n.Name, s.TakenAt())}
			if len(r.Findings) > 0 && r.Findings[0].Certainty == triage.Certain && r.Findings[0].Grave() {
				record.First = r.Findings[0].Cause
			}
			out = append(out, record)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// node is a node of the cluster: until From it is not Ready and nothing is known of it, then it is as recorded.
type node struct {
	Pool      string
	Image     string
	From      time.Time
	Judgement gate.Judgement
}

type fleet map[string]node

func (f fleet) List() []signals.Node {
	out := make([]signals.Node, 0, len(f))
	for name, n := range f {
		out = append(out, signals.Node{Name: name, Pool: n.Pool, Image: n.Image})
	}
	return out
}

func (f fleet) Judge(_ context.Context, name string) gate.Judgement {
	n, ok := f[name]
	switch {
	case !ok:
		return gate.Judgement{At: time.Now(), Exists: evidence.False}
	case time.Now().Before(n.From):
		return gate.Judgement{At: time.Now(), Exists: evidence.True, Ready: evidence.False, Lease: evidence.True, System: evidence.True}
	}
	n.Judgement.At = time.Now()
	return n.Judgement
}

type silent struct{}

func (silent) Published(metav1.ConditionStatus, string) {}
func (silent) Late(int)                                 {}

// serve answers until it is killed.
func serve(kubeconfig, nodes, provider string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(nodes)
	if err != nil {
		return err
	}
	all := fleet{}
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("read %s: %w", nodes, err)
	}
	leads := make(chan struct{})
	close(leads)
	g := upgradegate.Gate{Config: config, Nodes: all, Settings: signals.Settings{Provider: provider}, Observer: silent{}, Leads: leads}
	return g.Start(context.Background())
}
