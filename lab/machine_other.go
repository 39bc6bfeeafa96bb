//go:build unix && !linux

package lab

import (
	"context"
	"errors"
)

// Machine exists on Linux only.
type Machine struct{ Name string }

type hub struct{}

var errLinuxOnly = errors.New("real nodes need Linux")

// CanRunMachines says what this computer lacks for real nodes.
func CanRunMachines() error { return errLinuxOnly }

// AddMachine fails: real nodes need Linux.
func (c *ControlPlane) AddMachine(context.Context) (*Machine, error) { return nil, errLinuxOnly }

func startHub(context.Context, string, string) (*hub, error) { return nil, errLinuxOnly }
func egressFile(string) (string, error)                      { return "", errLinuxOnly }
func (h *hub) close()                                        {}
func (m *Machine) powerOff()                                 {}
