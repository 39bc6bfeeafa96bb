// Command nodetriage-controller watches a cluster and publishes why nodes are unhealthy.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// linked is the version, which the linker sets.
var linked = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, pflag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "nodetriage-controller:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	s, show, err := read(args, os.Stdout)
	if err != nil {
		return err
	}
	if show {
		fmt.Fprintln(os.Stdout, linked)
		return nil
	}
	log := logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, nil))
	ctrl.SetLogger(log)
	klog.SetLogger(log)
	boundGarbage()
	m, err := newManager(s)
	if err != nil {
		return err
	}
	return m.Start(ctx)
}
