//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

const (
	placeNodes = 500
	placeApps  = 40 // a third of them spread over zones, a third select nodes by label
	placePods  = 4000
	atOnce     = 32
)

// placing lets the real scheduler bind pods. Then the placement of the plans places the same pods, each with the
// complete set of nodes on which it fits.
func placing(ctx context.Context) error {
	plane, err := lab.Start(ctx, lab.Options{Still: true, Log: os.Stderr})
	if err != nil {
		return err
	}
	defer plane.Stop()
	client, err := plane.Client()
	if err != nil {
		return err
	}
	if err := each(placeNodes, func(i int) error { return makeNode(ctx, client, i) }); err != nil {
		return fmt.Errorf("make nodes: %w", err)
	}
	if err := each(placePods, func(i int) error {
		_, err := client.CoreV1().Pods("default").Create(ctx, placedPod(i), metav1.CreateOptions{})
		return err
	}); err != nil {
		return fmt.Errorf("make pods: %w", err)
	}
	s, err := unbound(ctx, client)
	if err != nil {
		return err
	}
	real, err := bound(ctx, plane, client)
	if err != nil {
		return err
	}
	ours, err := placed(s)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d pods on %d nodes\tpods a second\nkube-scheduler, its client without limits\t%.0f\nplacement, all nodes judged for each pod\t%.0f\nratio\t%.1f\n",
		placePods, placeNodes, real, ours, ours/real)
	return w.Flush()
}

func each(n int, do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}

func makeNode(ctx context.Context, client kubernetes.Interface, i int) error {
	name := fmt.Sprintf("node-%03d", i)
	n, err := client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		corev1.LabelHostname: name, corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", i%3), "disk": []string{"ssd", "hdd"}[i%2],
	}}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	n.Spec.Taints = nil // admission set the status of a new pod, which is not ready
	if n, err = client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{}); err != nil {
		return err
	}
	n.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("32Gi"), "pods": resource.MustParse("110")}
	n.Status.Capacity = n.Status.Allocatable
	_, err = client.CoreV1().Nodes().UpdateStatus(ctx, n, metav1.UpdateOptions{})
	return err
}

func placedPod(i int) *corev1.Pod {
	app := i % placeApps
	labels := map[string]string{"app": fmt.Sprintf("app-%02d", app)}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("app-%02d-%05d", app, i), Labels: labels}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "main", Image: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse("200m"), "memory": resource.MustParse("256Mi")},
		}}},
	}}
	switch app % 3 {
	case 0:
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		}}
	case 1:
		p.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	return p
}

// unbound is the evidence before the scheduler started.
func unbound(ctx context.Context, client kubernetes.Interface) (*evidence.Snapshot, error) {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	pods, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	d, t := evidence.Data{Server: evidence.Server{Version: "v1.36.3"}}, evidence.NewTemplates()
	for i := range nodes.Items {
		d.Nodes = append(d.Nodes, evidence.FromNode(&nodes.Items[i]))
	}
	for i := range pods.Items {
		d.Pods = append(d.Pods, t.FromPod(&pods.Items[i]))
	}
	return evidence.New(d), nil
}

// bound returns the number of pods per second that the scheduler binds, from the first to the last.
func bound(ctx context.Context, plane *lab.ControlPlane, client kubernetes.Interface) (float64, error) {
	changes, err := client.CoreV1().Pods("default").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, err
	}
	defer changes.Stop()
	if err := plane.StartScheduler("--kube-api-qps=100000", "--kube-api-burst=100000", "--leader-elect=false"); err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	var first time.Time
	for end := time.After(5 * time.Minute); ; {
		select {
		case e, open := <-changes.ResultChan():
			p, ok := e.Object.(*corev1.Pod)
			if !open || !ok {
				return 0, fmt.Errorf("watch the scheduler: %v", e.Object)
			}
			if p.Spec.NodeName == "" || seen[p.Name] {
				continue
			}
			if seen[p.Name] = true; len(seen) == 1 {
				first = time.Now()
			}
			if len(seen) == placePods {
				return (placePods - 1) / time.Since(first).Seconds(), nil
			}
		case <-end:
			return 0, fmt.Errorf("watch the scheduler: it bound %d of %d pods", len(seen), placePods)
		}
	}
}

// placed returns the number of pods per second that nodetriage places.
func placed(s *evidence.Snapshot) (float64, error) {
	c, err := scheduler.New(s)
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	for i, p := range s.PodsOn("") {
		r := c.Fit(p)
		if r.Verdict != placement.Fits {
			return 0, fmt.Errorf("place pod %s: %s", p.Key(), r.Message)
		}
		if err := c.Assume(p, r.Feasible[i%len(r.Feasible)]); err != nil {
			return 0, err
		}
	}
	return placePods / time.Since(begin).Seconds(), nil
}
