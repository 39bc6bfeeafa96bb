package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// breakage is the current fault in a lab.
type breakage struct {
	scenario scenario.Scenario
	world    *scenario.World
}

func listScenarios() error {
	for _, s := range slices.Concat(scenario.All(), scenario.Units()) {
		fmt.Printf("%-24s %-7s %s\n", s.Name, kindOf(s), s.Truth.Truth)
	}
	return nil
}

// kindOf returns the kind of node that a scenario needs, as a flag of node add.
func kindOf(s scenario.Scenario) string {
	switch {
	case s.NeedsSystemd():
		return "systemd"
	case s.Real:
		return "real"
	}
	return "hollow"
}

func (b *breakage) start(ctx context.Context, plane *lab.ControlPlane, name string, out io.Writer) error {
	if b.world != nil {
		return fmt.Errorf("break %s: %s is broken by %s; lab heal takes it back", name, b.world.Node, b.scenario.Name)
	}
	s, err := scenario.Named(name)
	if err != nil {
		return err
	}
	nodes, kind := plane.HollowNodes(), kindOf(s)
	if s.Real {
		nodes = slices.DeleteFunc(plane.Machines(), func(name string) bool {
			systemd := plane.Machine(name).Systemd()
			return s.Plain && systemd || kind == "systemd" && !systemd
		})
	}
	if len(nodes) == 0 {
		return fmt.Errorf("break %s: there is no node for it; lab node add --%s 1", name, kind)
	}
	w, err := scenario.NewWorld(plane, nodes[0])
	if err != nil {
		return err
	}
	if err := s.Start(ctx, w); err != nil {
		return err
	}
	b.scenario, b.world = s, w
	fmt.Fprintf(out, "%s: %s (%s)\n", w.Node, s.Truth.Truth, s.Truth.Class)
	return nil
}

var errWhole = errors.New("nothing is broken")

func (b *breakage) heal(ctx context.Context) error {
	if b.world == nil {
		return errWhole
	}
	err := b.scenario.Heal(ctx, b.world)
	if err == nil {
		b.world = nil
	}
	return err
}

func (b *breakage) record(ctx context.Context, program, file string) error {
	if b.world == nil {
		return errWhole
	}
	bin, err := lab.BuildNode(ctx, io.Discard) // for kubectl
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nodetriage-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	recorder := scenario.Recorder{Program: program, Kubectl: filepath.Join(bin, "kubectl")}
	r, err := recorder.Record(ctx, b.world, dir)
	if err != nil {
		return err
	}
	text, err := r.Case(b.scenario)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
