//go:build unix

package lab

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/nodetriage/nodetriage/lab/hollow"
)

// nodes are the nodes of a control plane.
type nodes struct {
	mu       sync.Mutex
	hollow   map[string]*hollow.Node
	machines map[string]*Machine
	count    int // of all nodes ever added: names and addresses are not reused
}

// kubeletKubeconfig writes the kubeconfig of the user of a node, with a certificate that expires at that time.
func (c *ControlPlane) kubeletKubeconfig(name, server string, end time.Time) (string, error) {
	file := "node-" + name
	if err := c.pki.issueUntil(end, file, "system:node:"+name, "system:nodes"); err != nil {
		return "", err
	}
	return c.writeConfig(file, server, file)
}

// AddHollow adds hollow nodes, ready or about to be, and returns their names. They share the labels and are assigned to
// the zones in turn; no zones: no zone label.
func (c *ControlPlane) AddHollow(ctx context.Context, n int, labels map[string]string, zones ...string) ([]string, error) {
	made := make([]*hollow.Node, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for i := range n {
		index := c.nextNode()
		opt := hollow.Options{Name: fmt.Sprintf("hollow-%d", index), Index: index, Labels: map[string]string{}}
		maps.Copy(opt.Labels, labels)
		if len(zones) > 0 {
			opt.Labels["topology.kubernetes.io/region"] = "lab"
			opt.Labels["topology.kubernetes.io/zone"] = zones[i%len(zones)]
		}
		group.Go(func() error {
			kubeconfig, err := c.kubeletKubeconfig(opt.Name, c.server, time.Now().Add(validity))
			if err != nil {
				return err
			}
			if opt.Client, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err != nil {
				return fmt.Errorf("read kubeconfig of node %s: %w", opt.Name, err)
			}
			made[i], err = hollow.Start(ctx, opt)
			return err
		})
	}
	err := group.Wait()
	var names []string
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	if c.nodes.hollow == nil {
		c.nodes.hollow = map[string]*hollow.Node{}
	}
	for _, node := range made {
		if node != nil {
			c.nodes.hollow[node.Name()] = node
			names = append(names, node.Name())
		}
	}
	return names, err
}

func (c *ControlPlane) nextNode() int {
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	c.nodes.count++
	return c.nodes.count
}

// Hollow returns the hollow node of that name, or nil.
func (c *ControlPlane) Hollow(name string) *hollow.Node {
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	return c.nodes.hollow[name]
}

// HollowNodes returns the names of all hollow nodes, in order.
func (c *ControlPlane) HollowNodes() []string {
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	return slices.Sorted(maps.Keys(c.nodes.hollow))
}

// Machine returns the real node of that name, or nil.
func (c *ControlPlane) Machine(name string) *Machine {
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	return c.nodes.machines[name]
}

// Machines returns the names of all real nodes, in order.
func (c *ControlPlane) Machines() []string {
	c.nodes.mu.Lock()
	defer c.nodes.mu.Unlock()
	return slices.Sorted(maps.Keys(c.nodes.machines))
}

// stopNodes silences all nodes.
func (c *ControlPlane) stopNodes() {
	var wait sync.WaitGroup
	for _, name := range c.HollowNodes() {
		wait.Go(c.Hollow(name).Silence)
	}
	for _, name := range c.Machines() {
		wait.Go(c.Machine(name).powerOff)
	}
	wait.Wait()
	c.nodes.machines = nil
}
