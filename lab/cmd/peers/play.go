//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

const (
	machines = 3
	patience = time.Minute      // time for a fault to show
	late     = 5 * time.Second  // and after it was seen
	recovery = 3 * time.Minute  // time for a node to recover
	calm     = 10 * time.Second // before the first change
	answers  = 2 * time.Minute  // timeout of the program
)

// result is the result of one change.
type result struct {
	change   change
	node     string
	notReady bool
	cause    string // of the first finding
	place    int    // position of the change among the differences, from 1; 0: not found
	all      int
	said     string // of the change, or of the first difference
	err      error
}

// answer contains the checked fields of a report.
type answer struct {
	Findings []struct {
		Cause   string `json:"cause"`
		Subject struct {
			Name string `json:"name"`
		} `json:"subject"`
	} `json:"findings"`
	Apart []struct {
		Node        string `json:"node"`
		Differences []struct {
			What  string `json:"what"`
			Here  string `json:"here"`
			There string `json:"there"`
		} `json:"differences"`
	} `json:"apart"`
}

// stage is the lab in which the changes are made.
type stage struct {
	program, dir string
	plane        *lab.ControlPlane
	client       kubernetes.Interface
	nodes        []*lab.Machine
}

// play makes all changes one after another, each on the next of three nodes.
func play(ctx context.Context, program, dir string, chosen []change) ([]result, error) {
	s := &stage{program: program, dir: dir}
	var err error
	if s.plane, err = lab.Start(ctx, lab.Options{Machines: true, Log: os.Stderr}); err != nil {
		return nil, err
	}
	defer s.plane.Stop()
	if s.client, err = s.plane.Client(); err != nil {
		return nil, err
	}
	for range machines {
		m, err := s.plane.AddSystemd(ctx)
		if err != nil {
			return nil, err
		}
		s.nodes = append(s.nodes, m)
	}
	lab.Pause(ctx, calm)
	var out []result
	whole := result{change: change{name: "nothing", what: "nothing is changed"}, node: s.nodes[0].Name}
	whole.err = s.ask(ctx, s.nodes[0], &whole)
	out = append(out, whole)
	for i, c := range chosen {
		at := i % len(s.nodes)
		r := s.one(ctx, s.nodes[at], c)
		out = append(out, r)
		fmt.Fprint(os.Stderr, row(r))
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if r.err != nil { // its state is unknown: another node replaces it
			m, err := s.plane.AddSystemd(ctx)
			if err != nil {
				return out, err
			}
			_ = s.client.CoreV1().Nodes().Delete(ctx, s.nodes[at].Name, metav1.DeleteOptions{}) // it is no longer compared
			s.nodes[at] = m
		}
	}
	return out, nil
}

// one makes one change, runs the diagnosis, and reverts the change.
func (s *stage) one(ctx context.Context, m *lab.Machine, c change) result {
	r := result{change: c, node: m.Name}
	saved, err := save(m, c)
	if err != nil {
		r.err = err
		return r
	}
	r.err = apply(ctx, m, c)
	if r.err == nil && !c.noPod {
		r.err = s.pod(ctx, m, c)
	}
	if r.err == nil {
		r.notReady = s.shows(ctx, m)
		r.err = s.ask(ctx, m, &r)
	}
	took := time.Now()
	r.err = errors.Join(r.err, restore(ctx, m, c, saved), s.noPod(ctx, c))
	if r.err == nil {
		r.err = s.recovers(ctx, m, took)
	}
	return r
}

// save returns the files that the change edits; nil: a file does not exist.
func save(m *lab.Machine, c change) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, e := range c.edits {
		data, err := os.ReadFile(m.Path(e.file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		out[e.file] = data
	}
	return out, nil
}

func apply(ctx context.Context, m *lab.Machine, c change) error {
	for _, e := range c.edits {
		before, err := os.ReadFile(m.Path(e.file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after := e.to(string(before))
		if after == string(before) {
			return fmt.Errorf("change %s: %s stays as it was", c.name, e.file)
		}
		if err := m.WriteFor(e.file, after); err != nil {
			return err
		}
	}
	return errors.Join(shell(ctx, m, c.do), restart(ctx, m, c))
}

func restore(ctx context.Context, m *lab.Machine, c change, saved map[string][]byte) error {
	var errs []error
	for file, data := range saved {
		if data == nil {
			errs = append(errs, os.Remove(m.Path(file)))
			continue
		}
		errs = append(errs, m.WriteFor(file, string(data)))
	}
	return errors.Join(append(errs, shell(ctx, m, c.undo), restart(ctx, m, c))...)
}

// restart restarts the units, as an operator does. A unit that cannot start is not an error, because this is the change
// under test.
func restart(ctx context.Context, m *lab.Machine, c change) error {
	for _, unit := range c.restart {
		if err := shell(ctx, m, "systemctl daemon-reload; systemctl reset-failed "+unit+" || true; systemctl restart --no-block "+unit); err != nil {
			return err
		}
	}
	return nil
}

func shell(ctx context.Context, m *lab.Machine, command string) error {
	if command == "" {
		return nil
	}
	_, err := m.Run(ctx, "timeout", "100", "sh", "-c", "NODE="+m.Name+"; "+command)
	return err
}

// pod starts a pod on the node, so that faults that prevent pods from starting show.
func (s *stage) pod(ctx context.Context, m *lab.Machine, c change) error {
	grace := int64(1)
	_, err := s.client.CoreV1().Pods("default").Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "after-" + c.name},
		Spec: corev1.PodSpec{NodeName: m.Name, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "app", Image: lab.Image}}},
	}, metav1.CreateOptions{})
	return err
}

func (s *stage) noPod(ctx context.Context, c change) error {
	if c.noPod {
		return nil
	}
	return s.client.CoreV1().Pods("default").Delete(ctx, "after-"+c.name, *metav1.NewDeleteOptions(0))
}

// shows waits until the node is not Ready, or for a while.
func (s *stage) shows(ctx context.Context, m *lab.Machine) bool {
	for end := time.Now().Add(patience); time.Now().Before(end) && lab.Pause(ctx, time.Second); {
		if !s.ready(ctx, m) {
			lab.Pause(ctx, late)
			return true
		}
	}
	return false
}

func (s *stage) ready(ctx context.Context, m *lab.Machine) bool {
	node, err := s.client.CoreV1().Nodes().Get(ctx, m.Name, metav1.GetOptions{})
	return err == nil && slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// recovers waits until the node is Ready and has renewed its lease since.
func (s *stage) recovers(ctx context.Context, m *lab.Machine, since time.Time) error {
	for end := time.Now().Add(recovery); time.Now().Before(end) && lab.Pause(ctx, time.Second); {
		lease, err := s.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(ctx, m.Name, metav1.GetOptions{})
		if err == nil && lease.Spec.RenewTime != nil && lease.Spec.RenewTime.After(since.Add(late)) && s.ready(ctx, m) {
			return nil
		}
	}
	return fmt.Errorf("node %s does not become healthy again", m.Name)
}

// ask collects the reports of all nodes and a bundle of the cluster, and lists the differences of the node.
func (s *stage) ask(ctx context.Context, m *lab.Machine, r *result) error {
	dir := filepath.Join(s.dir, r.change.name)
	if err := os.MkdirAll(filepath.Join(dir, "reports"), 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answers)
	defer cancel()
	var all errgroup.Group
	for _, node := range s.nodes {
		all.Go(func() error {
			text, err := node.Report(ctx, s.program)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "reports", node.Name+".json"), text, 0o644)
		})
	}
	bundle := filepath.Join(dir, "bundle.tar.gz")
	all.Go(func() error {
		out, err := exec.CommandContext(ctx, s.program, "collect", "--force", "-o", bundle, "--kubeconfig", s.plane.Kubeconfig).CombinedOutput()
		if err != nil {
			return fmt.Errorf("collect: %w: %s", err, out)
		}
		return nil
	})
	if err := all.Wait(); err != nil {
		return err
	}
	text, err := exec.CommandContext(ctx, s.program, "diagnose", m.Name, "-f", bundle, "-f", filepath.Join(dir, "reports"), "-o", "json").Output()
	var a answer
	if decode := json.Unmarshal(text, &a); decode != nil {
		return errors.Join(err, decode)
	}
	r.judge(a, m.Name)
	return os.WriteFile(filepath.Join(dir, "answer.json"), text, 0o644)
}

// judge finds the change among the differences.
func (r *result) judge(a answer, node string) {
	for _, f := range a.Findings {
		if r.cause == "" {
			r.cause = f.Cause
		}
	}
	for _, apart := range a.Apart {
		if apart.Node != node {
			continue
		}
		r.all = len(apart.Differences)
		for i, d := range apart.Differences {
			says := fmt.Sprintf("%s: %s, not %s", d.What, d.Here, d.There)
			if i == 0 {
				r.said = says
			}
			if slices.ContainsFunc(r.change.found, func(part string) bool { return strings.Contains(says, part) }) {
				r.place, r.said = i+1, says
				return
			}
		}
	}
}
