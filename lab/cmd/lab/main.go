//go:build unix

// Command lab builds, starts, loads and stops local control planes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/nodetriage/nodetriage/lab"
)

const usage = `lab starts real control planes on this machine.

  lab build                     build the programs (about six minutes the first time)
  lab up [--name N] [--still]   start one and print its kubeconfig; --still: no controllers, no scheduler
  lab run [--still]             the same in the foreground, until Ctrl-C
  lab load [flags]              fill one with nodes and pods; lab load -h
  lab down [--name N]           stop it and remove everything
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	err := run(ctx, os.Args[1], os.Args[2:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command string, args []string) error {
	flags := flag.NewFlagSet("lab "+command, flag.ContinueOnError)
	name := flags.String("name", "default", "name of the control plane")
	still := flags.Bool("still", false, "start no controllers and no scheduler")
	switch command {
	case "build":
		bin, err := lab.Build(ctx, os.Stderr)
		if err == nil {
			fmt.Println(bin)
		}
		return err
	case "run":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return foreground(ctx, *still)
	case "up":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return up(ctx, *name, *still)
	case "serve": // what up starts
		if err := flags.Parse(args); err != nil {
			return err
		}
		return serve(ctx, *name, *still)
	case "down":
		if err := flags.Parse(args); err != nil {
			return err
		}
		return down(*name)
	case "load":
		return fill(ctx, args)
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("there is no command %q", command)
}

func foreground(ctx context.Context, still bool) error {
	c, err := lab.Start(ctx, lab.Options{Still: still, Log: os.Stderr})
	if err != nil {
		return err
	}
	defer c.Stop()
	fmt.Printf("export KUBECONFIG=%s\n", c.Kubeconfig)
	<-ctx.Done()
	return nil
}
