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

// Look is one moment, seen in every way.
type Look struct {
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	// Took is how long it was until the ways of the API had been read; a node report may take longer.
	Took time.Duration `json:"took"`
	// Same: no object of the API changed while they were read, so the ways of the API must agree.
	Same bool `json:"same"`
	// Pods tells on which node a pod was.
	Pods    map[string]string `json:"pods"`
	Answers map[Way]Answer    `json:"answers"`
	// Named: nodes were asked about by name, so that the dump, which is of the whole cluster, has more than the other ways.
	Named bool `json:"named,omitempty"`
	// Others are the answers about nodes without a fault.
	Others map[Way]Others `json:"others,omitempty"`
	// Unasked is what the bundle says without the answers of the kubelets, where it differs from the dump; nil: not asked.
	Unasked *Answer `json:"unasked,omitempty"`
}

// Differences are those between the ways of the API; none where they cannot be compared.
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

// Unheard reports whether the ways of the API differ in nothing but what kubelets answered to some of them: the bundle without
// these answers says what the dump says, and the live program what the bundle says.
func (l *Look) Unheard() bool {
	if l.Unasked == nil || len(l.Differences()) == 0 {
		return false
	}
	live, asked := l.Answers[Live]
	return len(differences(*l.Unasked, l.Answers[Dump], Bundle, Dump)) == 0 && (!asked || len(differences(live, l.Answers[Bundle], Live, Bundle)) == 0)
}

// dumped are the kinds that a person saves with kubectl.
const dumped = "nodes,pods,events,leases,namespaces,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,poddisruptionbudgets," +
	"persistentvolumeclaims,persistentvolumes,volumeattachments,csinodes,certificatesigningrequests,validatingwebhookconfigurations,mutatingwebhookconfigurations"

// Files of a look, below its folder.
const (
	bundleFile = "bundle.tar.gz"
	dumpFile   = "objects.json.gz"
	reportDir  = "report"
)

// evidence are the arguments that name what a look has kept for one way.
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

// inLook is where a look has a file: one that was packed has it without .gz.
func inLook(dir, name string) string {
	plain := filepath.Join(dir, strings.TrimSuffix(name, ".gz"))
	if _, err := os.Stat(plain); err == nil {
		return plain
	}
	return filepath.Join(dir, name)
}

// reader reads one moment in all ways.
type reader struct {
	Player
	client     kubernetes.Interface
	kubeconfig string
	worlds     []*scenario.World // of the nodes with faults
	asked      []string          // nodes that are asked about by name
}

// read takes everything of now into dir. Where something changed meanwhile, the API is read once more while the work is held.
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

// readAPI reads what the API tells, in all ways at once. What changes meanwhile makes the ways incomparable.
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

// report keeps what a node says of itself.
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

// judge adds the answers about what was kept. A dump is asked about the nodes that the cluster was asked about.
// The nodes that a fault concerns are left out where the others are asked about.
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

// versions is a text that differs whenever an object differs that an answer may rest on, leases aside: they are renewed
// all the time. The second result tells where the pods are.
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
