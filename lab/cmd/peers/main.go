//go:build linux

// Command peers makes one change after another on one of three real nodes and runs nodetriage with the reports of all
// three. It writes docs/measurements/differences.md: whether the change is among the first three differences.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("peers", run) }

func run(ctx context.Context, _ []string) error {
	program := flag.String("nodetriage", "", "the program to judge")
	output := flag.String("o", "", "write the page to this file")
	only := flag.String("only", "", "play these changes, with commas")
	keep := flag.String("keep", "", "keep bundles, reports and answers below this `FOLDER`")
	flag.Parse()
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if *program, err = tool.Program(*program); err != nil {
		return err
	}
	if *keep == "" {
		if *keep, err = os.MkdirTemp("", "nodetriage-peers-"); err != nil {
			return err
		}
		defer os.RemoveAll(*keep)
	}
	if err := lab.CanRunSystemd(); err != nil {
		return err
	}
	results, failed := play(ctx, *program, *keep, chosen)
	if err := tool.Write(*output, page(results)); err != nil {
		return err
	}
	return failed
}

// choose returns the changes with these names; without names, all changes.
func choose(names string) ([]change, error) {
	if names == "" {
		return changes, nil
	}
	var out []change
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(changes, func(c change) bool { return c.name == name })
		if i < 0 {
			return nil, errors.Join(fmt.Errorf("there is no change %q", name), errors.New("there are: "+all()))
		}
		out = append(out, changes[i])
	}
	return out, nil
}

func all() string {
	var out []string
	for _, c := range changes {
		out = append(out, c.name)
	}
	return strings.Join(out, " ")
}
