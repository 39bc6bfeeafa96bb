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

// settings are the flags of commands about the control plane.
type settings struct {
	name, kubernetes, aks string
	still, real, systemd  bool
	scenario              string // the argument of break
}

// commands are the commands with these flags.
var commands = map[string]func(ctx context.Context, s settings) error{
	"build": func(ctx context.Context, s settings) error {
		if err := build(ctx, s.kubernetes, s.real || s.systemd); err != nil || !s.systemd {
			return err
		}
		_, err := lab.BuildRoot(ctx, os.Stderr)
		return err
	},
	"run":   func(ctx context.Context, s settings) error { return foreground(ctx, s.plane(s.aks != ""), s.aks) },
	"up":    func(ctx context.Context, s settings) error { return up(ctx, s.name, s.plane(s.aks != ""), s.aks) },
	"serve": func(ctx context.Context, s settings) error { return serve(ctx, s.name, s.plane(false), s.aks) }, // the process that up starts
	"break": func(_ context.Context, s settings) error { return breakNode(s.name, s.scenario) },
	"heal":  func(_ context.Context, s settings) error { return ask(s.name, request{Command: "heal"}) },
	"down":  func(_ context.Context, s settings) error { return down(s.name) },
}

// plane returns the options of the control plane, which stands still if asked or if the flags say so.
func (s settings) plane(still bool) lab.Options {
	return lab.Options{Still: s.still || still, Machines: s.real, Kubernetes: s.kubernetes}
}

func run(ctx context.Context, command string, args []string) error {
	switch command {
	case "help", "-h", "-help", "--help":
		fmt.Print(usage)
		return nil
	case "record":
		return record(args)
	case "node":
		return addNodes(args)
	case "load":
		return fill(ctx, args)
	}
	do, known := commands[command]
	if !known {
		return fmt.Errorf("there is no command %q: lab help lists them", command)
	}
	var s settings
	if command == "break" && len(args) > 0 && !strings.HasPrefix(args[0], "-") { // package flag stops at the first argument
		s.scenario, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("lab "+command, flag.ContinueOnError)
	flags.StringVar(&s.name, "name", "default", "name of the control plane")
	flags.BoolVar(&s.still, "still", false, "start no controllers and no scheduler")
	flags.BoolVar(&s.real, "real", false, "prepare for real nodes")
	flags.BoolVar(&s.systemd, "systemd", false, "build the root of nodes with systemd too")
	flags.StringVar(&s.kubernetes, "kubernetes", "", "minor version, as 1.33")
	flags.StringVar(&s.aks, "azure", "", "scenario of Azure to join with the control plane, which stands still then")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.scenario = cmp.Or(s.scenario, flags.Arg(0))
	return do(ctx, s)
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
