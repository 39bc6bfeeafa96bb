//go:build linux

// Command agentbench measures the resource usage of nodetriage-agent on a real node with real pods, next to
// node-problem-detector, for ten minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("agentbench", run) }

// bench is the configuration of a measurement.
type bench struct {
	agent, detector string
	pods            int
	during          time.Duration
}

func run(ctx context.Context, args []string) error {
	var b bench
	flags := flag.NewFlagSet("agentbench", flag.ContinueOnError)
	flags.StringVar(&b.agent, "agent", "nodetriage-agent", "`PROGRAM` to measure")
	flags.StringVar(&b.detector, "detector", "", "`PROGRAM` to compare with; empty: node-problem-detector, built from its module")
	flags.IntVar(&b.pods, "pods", 30, "`NUMBER` of pods on the node")
	flags.DurationVar(&b.during, "for", 10*time.Minute, "measure for this `TIME`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := lab.CanRunMachines(); err != nil {
		return err
	}
	var err error
	if b.agent, err = filepath.Abs(b.agent); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "agentbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	var settings string
	if b.detector == "" {
		b.detector, err = buildDetector(ctx, scratch)
	}
	if err == nil {
		settings, err = writeSettings(scratch)
	}
	if err != nil {
		return err
	}
	c, err := lab.Start(ctx, lab.Options{Machines: true, Log: os.Stderr})
	if err != nil {
		return err
	}
	defer c.Stop()
	m, err := c.AddMachine(ctx)
	if err != nil {
		return err
	}
	if err := b.fill(ctx, c, m.Name); err != nil {
		return err
	}
	// The agent expects the kubelet log at this path.
	if err := os.Link(m.Log(lab.Kubelet), filepath.Join(filepath.Dir(m.Log(lab.Kubelet)), "log", "kubelet.log")); err != nil {
		return err
	}
	rows, err := b.measure(ctx, []program{
		{"nodetriage-agent", m.Command(ctx, b.agent, "-node", m.Name)},
		{"node-problem-detector", m.Command(ctx, b.detector,
			"--hostname-override="+m.Name, "--config.system-log-monitor="+settings, "--logtostderr",
			"--apiserver-override="+lab.MachineServer+"?inClusterConfig=false&auth=/etc/kubernetes/kubelet.conf")},
	})
	if err != nil {
		return err
	}
	print(rows)
	return nil
}

// fill creates the pods on the node and waits until they run.
func (b bench) fill(ctx context.Context, c *lab.ControlPlane, node string) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	pods := client.CoreV1().Pods("default")
	for i := range b.pods {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("app-%d", i)}, Spec: corev1.PodSpec{
			NodeName: node, Containers: []corev1.Container{{Name: "app", Image: lab.Image}},
		}}
		if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		list, err := pods.List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
		if err != nil {
			return err
		}
		if len(list.Items) == b.pods {
			fmt.Fprintf(os.Stderr, "%d pods run on %s\n", b.pods, node)
			return nil
		}
	}
	return errors.New("the pods do not run after five minutes")
}

func print(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tresident, median\tresident, peak\tits own, median\tCPU\tshare of a core")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.1f MB\t%.1f MB\t%.1f MB\t%.2f s\t%.3f %%\n", r.name, r.resident, r.peak, r.own, r.cpu.Seconds(), 100*r.cpu.Seconds()/r.during.Seconds())
	}
	w.Flush()
}
