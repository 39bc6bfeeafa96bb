//go:build unix

// Package upgrade_test replaces pools on a control plane with its controllers and scheduler, and compares the result
// with the earlier output of nodetriage upgrade --plan.
package upgrade_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

var (
	program string
	plane   *lab.ControlPlane
	client  *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil { // these tests mostly wait
		panic(err)
	}
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "nodetriage-upgrade-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if program, err = lab.BuildOwn("../../cmd/nodetriage", dir); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if plane, err = lab.Start(ctx, lab.Options{Log: os.Stderr, ControllerArgs: []string{"--use-service-account-credentials=true"}}); err != nil {
		return 0, err
	}
	defer plane.Stop()
	if client, err = plane.Client(); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// until polls a condition until it is true.
func until(ctx context.Context, what string, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for !ok() {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("waited in vain for %s", what), ctx.Err())
		}
	}
	return nil
}
