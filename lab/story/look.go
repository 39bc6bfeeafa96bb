//go:build linux

package story

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Look is one moment, with every kind of evidence.
type Look struct {
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	// Took is the time until the API evidence had been read; a node report may take longer.
	Took time.Duration `json:"took"`
	// Same: no object of the API changed during the read, so the kinds of API evidence must agree.
	Same bool `json:"same"`
	// Pods maps pods to their nodes.
	Pods    map[string]string `json:"pods"`
	Answers map[Way]Answer    `json:"answers"`
	// Named: nodes were diagnosed by name, so the dump, which covers the whole cluster, has more evidence.
	Named bool `json:"named,omitempty"`
	// Others are the answers about nodes without a fault.
	Others map[Way]Others `json:"others,omitempty"`
	// Unasked is the answer for the bundle without the answers of the kubelets, if it differs from the dump; nil: not
	// asked.
	Unasked *Answer `json:"unasked,omitempty"`
}

// Differences are the differences between the kinds of API evidence; none if they cannot be compared.
func (l *Look) Differences() []string {
	if !l.Same {
		return nil
	}
	var out []string
	first := Way("")
	for _, way := range []Way{Live, Bundle, Dump} {
		if way == Dump && l.Named {
			break
		}
		if _, asked := l.Answers[way]; asked && first == "" {
			first = way
		} else if asked {
			out = append(out, differences(l.Answers[first], l.Answers[way], first, way)...)
		}
	}
	return out
}

// Unheard reports whether the kinds of API evidence differ only in the answers of kubelets. Then the bundle without
// these answers gives the result of the dump, and the live program gives the result of the bundle.
func (l *Look) Unheard() bool {
	if l.Unasked == nil || len(l.Differences()) == 0 {
		return false
	}
	live, asked := l.Answers[Live]
	return len(differences(*l.Unasked, l.Answers[Dump], Bundle, Dump)) == 0 && (!asked || len(differences(live, l.Answers[Bundle], Live, Bundle)) == 0)
}

// dumped are the kinds that a user saves with kubectl.
const dumped = "nodes,pods,events,leases,namespaces,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,poddisruptionbudgets," +
	"persistentvolumeclaims,persistentvolumes,volumeattachments,csinodes,certificatesigningrequests,validatingwebhookconfigurations,mutatingwebhookconfigurations"

// Files of a look, in its folder.
const (
	bundleFile = "bundle.tar.gz"
	dumpFile   = "objects.json.gz"
	reportDir  = "report"
)

// evidence returns the arguments for one kind of evidence of a stored look.
func evidence(dir string, way Way) []string {
	switch way {
	case Bundle:
		return []string{"-f", inLook(dir, bundleFile)}
	case Dump:
		return []string{"-f", inLook(dir, dumpFile)}
	case Report:
		if _, err := os.Stat(filepath.Join(dir, reportDir)); err == nil {
			return []string{"-f", filepath.Join(dir, reportDir), "-f", inLook(dir, bundleFile)}
		}
	}
	return nil
}

// inLook returns the path of a file of a look: in a packed look it has no suffix .gz.
func inLook(dir, name string) string {
	plain := filepath.Join(dir, strings.TrimSuffix(name, ".gz"))
	if _, err := os.Stat(plain); err == nil {
		return plain
	}
	return filepath.Join(dir, name)
}

// reader reads one moment with every kind of evidence.
type reader struct {
	Player
	client     kubernetes.Interface
	kubeconfig string
	worlds     []*scenario.World // of the nodes with faults
	asked      []string          // nodes that are diagnosed by name
}

// read stores the current state in dir. If something changed during the read, it reads the API once more while the
// workload is paused.
func (r *reader) read(ctx context.Context, dir string, hold func(bool)) (*Look, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var reports errgroup.Group
	for _, w := range r.worlds {
		reports.Go(func() error { return r.report(ctx, w, filepath.Join(dir, reportDir)) })
	}
	l, err := r.readAPI(ctx, dir)
	if err == nil && !l.Same {
		hold(true)
		lab.Pause(ctx, time.Second)
		l, err = r.readAPI(ctx, dir)
		hold(false)
	}
	return l, errors.Join(err, reports.Wait())
}

// readAPI reads the API with all kinds of evidence at once. Changes during the read make them incomparable.
func (r *reader) readAPI(ctx context.Context, dir string) (*Look, error) {
	before, pods, err := versions(ctx, r.client)
	if err != nil {
		return nil, err
	}
	l := &Look{At: time.Now(), Pods: pods, Answers: map[Way]Answer{}}
	var wait sync.WaitGroup
	var errs [2]error
	wait.Go(func() {
		l.Answers[Live] = ask(ctx, r.Program, append([]string{"--kubeconfig", r.kubeconfig}, r.asked...)...)
	})
	wait.Go(func() {
		args := append([]string{"collect", "--force", "-o", filepath.Join(dir, bundleFile), "--kubeconfig", r.kubeconfig}, r.asked...)
		if text, err := exec.CommandContext(ctx, r.Program, args...).CombinedOutput(); err != nil {
			errs[0] = fmt.Errorf("collect: %w: %s", err, text)
		}
	})
	wait.Go(func() {
		text, err := exec.CommandContext(ctx, r.Kubectl, "get", dumped, "-A", "-o", "json", "--kubeconfig", r.kubeconfig, "--request-timeout=20s").Output()
		if err != nil {
			errs[1] = fmt.Errorf("kubectl: %w", err)
			return
		}
		errs[1] = writeGzip(filepath.Join(dir, dumpFile), text)
	})
	wait.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	after, _, err := versions(ctx, r.client)
	l.Took, l.Same = time.Since(l.At), before == after
	return l, err
}

// report stores the node report.
func (r *reader) report(ctx context.Context, w *scenario.World, dir string) error {
	if w.Machine == nil {
		return nil
	}
	dir = filepath.Join(dir, w.Node)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	report, err := w.Machine.Report(ctx, r.Program)
	if err != nil {
		return err
	}
	logs, err := w.Logs()
	if err != nil {
		return err
	}
	logs["node-report.json"] = report
	hide := strings.NewReplacer(w.Secrets()...)
	for name, text := range logs {
		if filepath.Ext(name) == "" {
			name += ".log"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(hide.Replace(string(text))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// judge adds the answers for the stored evidence. A dump is diagnosed for the same nodes as the cluster. Nodes that a
// fault affects are skipped if the others are diagnosed.
func (l *Look) judge(ctx context.Context, program string, asked, concerned []string, dir string) {
	l.Named = len(asked) > 0
	for _, way := range Ways[1:] {
		if args := evidence(dir, way); args != nil {
			if way == Dump {
				args = append(args, asked...)
			}
			l.Answers[way] = ask(ctx, program, args...)
		}
	}
	if l.Unasked = nil; len(l.Differences()) > 0 {
		a, err := unasked(ctx, program, inLook(dir, bundleFile))
		if err != nil {
			a.Error = err.Error()
		}
		l.Unasked = &a
	}
	l.askOthers(ctx, program, concerned, dir)
}

func writeGzip(name string, text []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write(text); err != nil {
		return err
	}
	return z.Close()
}

// versions returns a text that changes with every object that an answer may depend on, except leases, which are always
// renewed. The second result maps pods to nodes.
func versions(ctx context.Context, client kubernetes.Interface) (string, map[string]string, error) {
	var text strings.Builder
	add := func(m metav1.Object) { fmt.Fprintln(&text, m.GetUID(), m.GetResourceVersion()) }
	all := metav1.ListOptions{}
	nodes, err1 := client.CoreV1().Nodes().List(ctx, all)
	pods, err2 := client.CoreV1().Pods("").List(ctx, all)
	events, err3 := client.CoreV1().Events("").List(ctx, all)
	sets, err4 := client.AppsV1().ReplicaSets("").List(ctx, all)
	deployments, err5 := client.AppsV1().Deployments("").List(ctx, all)
	stateful, err6 := client.AppsV1().StatefulSets("").List(ctx, all)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return "", nil, err
	}
	where := map[string]string{}
	for i := range nodes.Items {
		add(&nodes.Items[i])
	}
	for i := range pods.Items {
		p := &pods.Items[i]
		add(p)
		if p.Spec.NodeName != "" {
			where[p.Namespace+"/"+p.Name] = p.Spec.NodeName
		}
	}
	for i := range events.Items {
		add(&events.Items[i])
	}
	for i := range sets.Items {
		add(&sets.Items[i])
	}
	for i := range deployments.Items {
		add(&deployments.Items[i])
	}
	for i := range stateful.Items {
		add(&stateful.Items[i])
	}
	return text.String(), where, nil
}
