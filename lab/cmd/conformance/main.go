//go:build unix

// Command conformance runs the scenarios of lab/conformance, prints the accuracy of predict, and writes
// docs/measurements/conformance.md. It fails if a result differs from the forecast.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/conformance"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("conformance", run) }

func run(ctx context.Context, _ []string) error {
	program := flag.String("nodetriage", "", "the program to judge")
	output := flag.String("o", "", "write the table to this file")
	only := flag.String("only", "", "names of scenarios or control planes, with commas")
	random := flag.Int("random", 0, "play so many random scenarios instead")
	first := flag.Int("first", 0, "of the random scenarios, the number of the first")
	seed := flag.Uint64("seed", 20261121, "of the random scenarios")
	kubernetes := flag.String("kubernetes", "", "minor versions of Kubernetes, with commas, or all: play a part of the scenarios on each of them")
	flag.Parse()
	path, err := tool.Program(*program)
	if err != nil {
		return err
	}
	if *kubernetes != "" {
		*only = cmp.Or(*only, conformance.OfReleases)
	}
	list, err := conformance.Choose(*only)
	if err != nil {
		return err
	}
	if *random > 0 {
		list = conformance.Random(*seed, *first, *random)
	}
	whole := *output != "" && *random == 0
	if *kubernetes != "" {
		return onReleases(ctx, path, list, *kubernetes, *output, whole && *only == conformance.OfReleases)
	}
	results, wrong, err := play(ctx, path, "", list)
	if err != nil {
		return err
	}
	if whole && *only == "" {
		if err := conformance.Write(*output, results); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d scenarios were not as predicted", wrong, len(results))
	}
	return nil
}

// play runs the scenarios on control planes of one version, and returns the number of wrong forecasts.
func play(ctx context.Context, program, kubernetes string, list []*conformance.Scenario) (results []*conformance.Result, wrong int, err error) {
	begin := time.Now()
	results, err = conformance.Trial{Program: program, Kubernetes: kubernetes, Log: os.Stderr}.Run(ctx, list)
	if err != nil {
		return nil, 0, err
	}
	if err := conformance.Table(os.Stdout, results); err != nil {
		return nil, 0, err
	}
	for _, r := range results {
		if r == nil || !r.Right() {
			wrong++
		}
	}
	fmt.Printf("%d scenarios, %d as predicted, %s\n", len(results), len(results)-wrong, time.Since(begin).Round(time.Second))
	return results, wrong, nil
}

// onReleases runs the scenarios on each version in turn, and writes each to the page.
func onReleases(ctx context.Context, program string, list []*conformance.Scenario, names, output string, write bool) error {
	minors := lab.Releases()
	if names != "all" {
		minors = strings.Split(names, ",")
	}
	all := 0
	for _, minor := range minors {
		fmt.Println("Kubernetes", minor)
		results, wrong, err := play(ctx, program, minor, list)
		if err != nil {
			return fmt.Errorf("play on Kubernetes %s: %w", minor, err)
		}
		version, err := lab.VersionOf(minor)
		if err != nil {
			return err
		}
		if all += wrong; write {
			if err := conformance.WriteRelease(output, version, results); err != nil {
				return err
			}
		}
	}
	if all > 0 {
		return fmt.Errorf("%d scenarios were not as predicted", all)
	}
	return nil
}
