package main

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/accuracy"
)

func printTallies(results []accuracy.Result) {
	for _, t := range accuracy.Tallies(results) {
		if t.Played+len(t.Skipped) == 0 {
			continue
		}
		fmt.Printf("%-18s %4d cases %5d plays %5d failed   goal: %s\n", t.Kind, t.Cases, t.Played, t.Failed, t.Goal)
		for _, reason := range accuracy.MostFrequent(t.Reasons) {
			fmt.Printf("    %5d failed   %s\n", t.Reasons[reason], reason)
		}
		for _, why := range accuracy.MostFrequent(t.Skipped) {
			fmt.Printf("    %5d skipped  %s\n", t.Skipped[why], why)
		}
	}
}

func printGroups(results []accuracy.Result, limit int) {
	groups := accuracy.Groups(results)
	for i, g := range groups {
		if i == limit {
			fmt.Printf("\n... %d more groups\n", len(groups)-limit)
			return
		}
		fmt.Printf("\n%d. %s: %s [%s]: %d\n", i+1, g.Kind, g.Reason, g.Carriers, len(g.Failures))
		var causes []string
		for j, c := range accuracy.MostFrequent(g.Causes) {
			if j == 8 {
				causes = append(causes, fmt.Sprintf("and %d more", len(g.Causes)-j))
				break
			}
			causes = append(causes, fmt.Sprintf("%s %d", c, g.Causes[c]))
		}
		fmt.Printf("   causes: %s\n", strings.Join(causes, ", "))
		for _, r := range g.Failures[:min(2, len(g.Failures))] {
			fmt.Printf("   %s\n       %s\n", r.Repeat(), r.Detail)
		}
	}
}

func printFailure(w *accuracy.World, r accuracy.Result, shrink bool) error {
	fmt.Printf("\n===== %s\n%s: %s\n", r.Repeat(), r.Reason, r.Detail)
	files, _ := r.Make()
	if shrink {
		r, files = w.Shrink(r)
		fmt.Printf("\n== the smallest case that fails so, before it is changed\n%s", r.Case.Files)
		if r.With != nil {
			fmt.Printf("\n== with %s\n%s", r.With.Name, r.With.Files)
		}
	}
	text, err := w.Engine.Judge(files.FS()).Text()
	if err != nil {
		return err
	}
	fmt.Printf("\n== the evidence\n%s\n== the report\n%s", files, text)
	return nil
}
