//go:build unix

// Command conformance plays the scenarios of lab/conformance, prints how well predict foretold them, and writes
// docs/conformance.md. It fails when something was not as predicted.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab/conformance"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	program := flag.String("nodetriage", "", "the program to judge")
	output := flag.String("o", "", "write the table to this file")
	only := flag.String("only", "", "names of scenarios or control planes, with commas")
	random := flag.Int("random", 0, "play so many random scenarios instead")
	first := flag.Int("first", 0, "of the random scenarios, the number of the first")
	seed := flag.Uint64("seed", 20261121, "of the random scenarios")
	flag.Parse()
	path, err := exec.LookPath(*program)
	if err != nil {
		return fmt.Errorf("find nodetriage (name it with -nodetriage): %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	list, err := conformance.Choose(*only)
	if err != nil {
		return err
	}
	if *random > 0 {
		list = conformance.Random(*seed, *first, *random)
	}
	begin := time.Now()
	results, err := conformance.Run(ctx, path, list, os.Stderr)
	if err != nil {
		return err
	}
	if err := conformance.Table(os.Stdout, results); err != nil {
		return err
	}
	wrong := 0
	for _, r := range results {
		if r == nil || !r.Right() {
			wrong++
		}
	}
	fmt.Printf("%d scenarios, %d as predicted, %s\n", len(results), len(results)-wrong, time.Since(begin).Round(time.Second))
	if *output != "" && *only == "" && *random == 0 {
		if err := conformance.Write(*output, results); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d scenarios were not as predicted", wrong, len(results))
	}
	return nil
}
