//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
)

const beat = 15 * time.Second

func fill(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("lab load", flag.ContinueOnError)
	name := flags.String("name", "default", "name of the control plane")
	var size load.Size
	flags.IntVar(&size.Nodes, "nodes", 100, "number of nodes")
	flags.IntVar(&size.Pods, "pods", 3000, "number of pods")
	flags.IntVar(&size.Sick, "sick", 5, "number of nodes that are not well")
	flags.IntVar(&size.Pools, "pools", 0, "number of node pools (default 10, one for fewer than 100 nodes)")
	keep := flags.Bool("beat", false, "go on as the kubelets' heartbeat, until Ctrl-C")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := folder(*name)
	if err != nil {
		return err
	}
	conn, kubeconfig, err := connect(dir)
	if err != nil {
		return fmt.Errorf("there is no control plane %s: lab up starts one", *name)
	}
	conn.Close()
	store, err := lab.OpenStore(filepath.Dir(kubeconfig))
	if err != nil {
		return err
	}
	defer store.Close()
	begin := time.Now()
	n, err := store.Fill(ctx, size)
	if err != nil {
		return err
	}
	fmt.Printf("%d objects in %s\n", n, time.Since(begin).Round(time.Millisecond))
	for *keep {
		select {
		case <-time.After(beat):
		case <-ctx.Done():
			return nil
		}
		if err := store.Beat(ctx, size); err != nil {
			return err
		}
	}
	return nil
}
