//go:build unix && !linux

package lab

import (
	"context"
	"errors"
	"io"
)

// Machine exists on Linux only.
type Machine struct{ Name string }

type hub struct{}

var errLinuxOnly = errors.New("real nodes need Linux")

// CanRunMachines reports what this host is missing for real nodes.
func CanRunMachines() error { return errLinuxOnly }

// AddMachine fails: real nodes need Linux.
func (c *ControlPlane) AddMachine(context.Context) (*Machine, error) { return nil, errLinuxOnly }

// AddSystemd fails: real nodes need Linux.
func (c *ControlPlane) AddSystemd(context.Context) (*Machine, error) { return nil, errLinuxOnly }

// BuildRoot fails: real nodes need Linux.
func BuildRoot(context.Context, io.Writer) (string, error) { return "", errLinuxOnly }

// CanRunSystemd reports what this host is missing for nodes with systemd.
func CanRunSystemd() error { return errLinuxOnly }

func startHub(context.Context, string, string) (*hub, error) { return nil, errLinuxOnly }
func egressFile(string) (string, error)                      { return "", errLinuxOnly }
func (h *hub) close()                                        {}
func (m *Machine) powerOff()                                 {}
