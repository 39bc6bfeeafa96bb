//go:build unix

// Command lab builds, starts, loads and stops local control planes.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/tool"
)

const usage = `lab starts real control planes on this machine.

  lab build [--real]            build the programs (about six minutes the first time; --real: eight; --systemd: and the
                                root of nodes with systemd, a minute more)
  lab up [--name N] [--real]    start one and print its kubeconfig; --real: prepared for real nodes
  lab up --azure SCENARIO       a broken AKS cluster: its nodes, and an emulator of Azure with their machines;
                                prints how to diagnose it (an unknown name lists the scenarios)
  lab up --kubernetes 1.33      of another minor version (an unknown one lists them); build and run have that flag too
  lab up --still                without controllers and scheduler: objects stay as they were written
  lab run [--real] [--still]    the same in the foreground, until Ctrl-C
  lab load [flags]              fill one with nodes and pods that stand still; lab load -h
  lab node add --hollow N       add nodes without machines; --zones Z puts them into zones in turn
  lab node add --real N         add real nodes (root on Linux): containerd and kubelet in namespaces of their own
  lab node add --systemd N      add real nodes whose first process is systemd (on Debian)
  lab break [SCENARIO]          break a node as the scenario says; without a name: list them
  lab heal                      take back what break did
  lab record -o FILE            write what can be seen of the broken node as a case, with the truth
  lab down [--name N]           stop it and remove everything
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	tool.Main("lab", func(ctx context.Context, args []string) error { return run(ctx, args[0], args[1:]) })
}

func run(ctx context.Context, command string, args []string) error {
	flags := flag.NewFlagSet("lab "+command, flag.ContinueOnError)
	name := flags.String("name", "default", "name of the control plane")
	still := flags.Bool("still", false, "start no controllers and no scheduler")
	real := flags.Bool("real", false, "prepare for real nodes")
	systemd := flags.Bool("systemd", false, "build the root of nodes with systemd too")
	kubernetes := flags.String("kubernetes", "", "minor version, as 1.33")
	aks := flags.String("azure", "", "scenario of Azure to join with the control plane, which stands still then")
	switch command {
	case "help", "-h", "-help", "--help":
		fmt.Print(usage)
		return nil
	case "build":
		if err := flags.Parse(args); err != nil {
			return err
		}
		if err := build(ctx, *kubernetes, *real || *systemd); err != nil || !*systemd {
			return err
		}
		_, err := lab.BuildRoot(ctx, os.Stderr)
		return err
	case "run":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return foreground(ctx, lab.Options{Still: *still || *aks != "", Machines: *real, Kubernetes: *kubernetes}, *aks)
	case "up":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return up(ctx, *name, lab.Options{Still: *still || *aks != "", Machines: *real, Kubernetes: *kubernetes}, *aks)
	case "serve": // the process that up starts
		if err := flags.Parse(args); err != nil {
			return err
		}
		return serve(ctx, *name, lab.Options{Still: *still, Machines: *real, Kubernetes: *kubernetes}, *aks)
	case "break":
		scenario := ""
		if len(args) > 0 && !strings.HasPrefix(args[0], "-") { // package flag stops at the first argument
			scenario, args = args[0], args[1:]
		}
		if err := flags.Parse(args); err != nil {
			return err
		}
		return breakNode(*name, cmp.Or(scenario, flags.Arg(0)))
	case "heal":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return ask(*name, request{Command: "heal"})
	case "record":
		return record(args)
	case "node":
		return addNodes(args)
	case "down":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return down(*name)
	case "load":
		return fill(ctx, args)
	}
	return fmt.Errorf("there is no command %q: lab help lists them", command)
}

func build(ctx context.Context, kubernetes string, real bool) error {
	if real {
		if err := lab.CanRunMachines(); err != nil {
			return err
		}
	}
	_, err := lab.BuildRelease(ctx, kubernetes, real, os.Stderr)
	return err
}

func foreground(ctx context.Context, opt lab.Options, scenario string) error {
	if err := knownScenario(scenario); err != nil {
		return err
	}
	opt.Log = os.Stderr
	aks, err := prepareAzure(scenario, &opt)
	if err != nil {
		return err
	}
	defer aks.close()
	c, err := lab.Start(ctx, opt)
	if err != nil {
		return err
	}
	defer c.Stop()
	how, err := aks.join(ctx, c)
	if err != nil {
		return err
	}
	fmt.Printf("export KUBECONFIG=%s\n%s", c.Kubeconfig, how)
	<-ctx.Done()
	return nil
}
