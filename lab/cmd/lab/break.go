//go:build unix

package main

import (
	"errors"
	"flag"
	"path/filepath"

	"github.com/nodetriage/nodetriage/lab/tool"
)

func breakNode(name, scenario string) error {
	if scenario == "" {
		return listScenarios()
	}
	return ask(name, request{Command: "break", Scenario: scenario})
}

func record(args []string) error {
	flags := flag.NewFlagSet("lab record", flag.ContinueOnError)
	name := flags.String("name", "default", "name of the control plane")
	file := flags.String("o", "", "write the case to this file")
	program := flags.String("nodetriage", "nodetriage", "the program that collects")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("record: say where to, -o FILE")
	}
	path, err := tool.Program(*program)
	if err != nil {
		return err
	}
	to, err := filepath.Abs(*file)
	if err != nil {
		return err
	}
	return ask(*name, request{Command: "record", File: to, Program: path})
}
