package main

import (
	"fmt"
	"os"

	"github.com/nodetriage/nodetriage/accuracy"
)

func (o options) meetBench() error {
	e, err := accuracy.NewEngine()
	if err != nil {
		return err
	}
	faults, err := accuracy.MeetBench(e, os.DirFS(o.bench))
	if err != nil {
		return err
	}
	fmt.Printf("%-36s %5s %5s %6s %6s %5s\n", "FAULT", "CASES", "RIGHT", "BLAMED", "HINTED", "WRONG")
	for _, f := range faults {
		fmt.Printf("%-36s %5d %5d %6d %6d %5d\n", f.Fault, f.Cases, f.Right, f.Blamed, f.Hinted, f.Wrong)
	}
	if o.record == "" {
		return nil
	}
	return o.writeFigures(func(f *accuracy.Figures) error {
		f.Bench = &accuracy.BenchRound{Date: today(), Commit: o.record, Faults: faults}
		return nil
	})
}
