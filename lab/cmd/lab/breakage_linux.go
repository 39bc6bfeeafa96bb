package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// breakage is what is broken in a lab now.
type breakage struct {
	scenario scenario.Scenario
	world    *scenario.World
}

func listScenarios() error {
	for _, s := range scenario.All() {
		kind := map[bool]string{true: "real", false: "hollow"}[s.Real]
		fmt.Printf("%-22s %-7s %s\n", s.Name, kind, s.Truth.Truth)
	}
	return nil
}

func (b *breakage) start(ctx context.Context, plane *lab.ControlPlane, name string, out io.Writer) error {
	if b.world != nil {
		return fmt.Errorf("break %s: %s is broken by %s; lab heal takes it back", name, b.world.Node, b.scenario.Name)
	}
	s, err := scenario.Named(name)
	if err != nil {
		return err
	}
	nodes := plane.HollowNodes()
	if s.Real {
		nodes = plane.Machines()
	}
	if len(nodes) == 0 {
		return fmt.Errorf("break %s: there is no node for it; lab node add --%s 1", name, map[bool]string{true: "real", false: "hollow"}[s.Real])
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
