//go:build unix && !linux

package main

import (
	"context"
	"errors"
	"io"

	"github.com/nodetriage/nodetriage/lab"
)

type breakage struct{}

var errLinuxOnly = errors.New("scenarios need Linux")

func listScenarios() error { return errLinuxOnly }

func (*breakage) start(context.Context, *lab.ControlPlane, string, io.Writer) error {
	return errLinuxOnly
}
func (*breakage) heal(context.Context) error                   { return errLinuxOnly }
func (*breakage) record(context.Context, string, string) error { return errLinuxOnly }
