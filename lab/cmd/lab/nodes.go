//go:build unix

package main

import (
	"errors"
	"flag"
)

func addNodes(args []string) error {
	if len(args) == 0 || args[0] != "add" {
		return errors.New("use lab node add")
	}
	flags := flag.NewFlagSet("lab node add", flag.ContinueOnError)
	name := flags.String("name", "default", "name of the control plane")
	n := flags.Int("hollow", 0, "number of nodes without machines")
	real := flags.Int("real", 0, "number of real nodes: the lab must have been started with --real")
	systemd := flags.Int("systemd", 0, "number of real nodes whose first process is systemd: the lab must have been started with --real")
	zones := flags.Int("zones", 0, "number of zones they are in, in turn")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if *n <= 0 && *real <= 0 && *systemd <= 0 {
		return errors.New("add nodes: say how many, --hollow N, --real N or --systemd N")
	}
	for command, count := range map[string]int{"real": *real, "systemd": *systemd} {
		if count <= 0 {
			continue
		}
		if err := ask(*name, request{Command: command, Count: count}); err != nil {
			return err
		}
	}
	if *n > 0 {
		return ask(*name, request{Command: "hollow", Count: *n, Zones: *zones})
	}
	return nil
}
