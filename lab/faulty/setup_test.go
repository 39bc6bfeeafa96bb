//go:build unix

package faulty_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/faulty"
	"github.com/nodetriage/nodetriage/lab/load"
)

var (
	each     = flag.Int("each", 1, "how many failures of each list each command meets, chosen by -seed; 0: every page in every way")
	of       = flag.Int("of", 3, "meet the failures of one of so many lists only, chosen by -seed")
	seed     = flag.Uint64("seed", uint64(time.Now().Unix()/86400), "the seed of -each and -of")
	only     = flag.String("only", "", "only the commands whose name matches this expression")
	workers  = flag.Int("workers", 4, "programs that run at a time")
	patience = flag.Duration("patience", time.Minute, "how long one run may take before it counts as hung; on a busy machine all is slow")
	built    = flag.String("program", "", "judge this program instead of one that is built from the source")
	failures = flag.String("failures", "", "write wrong answers to this file, one a line")
)

var (
	program string
	plane   *lab.ControlPlane
	store   *load.Store
	scratch string // a folder for output files
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (code int, err error) {
	if scratch, err = os.MkdirTemp("", "nodetriage-faulty-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	if program, err = theProgram(); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	if plane, err = lab.Start(ctx, lab.Options{Still: true, Log: os.Stderr}); err != nil {
		cancel()
		return 0, err
	}
	defer plane.Stop()
	if store, err = plane.Store(); err != nil {
		cancel()
		return 0, err
	}
	defer store.Close()
	wait, err := write(ctx)
	if err != nil {
		cancel()
		return 0, err
	}
	defer wait()
	defer cancel()
	return m.Run(), nil
}

func theProgram() (string, error) {
	if *built != "" {
		return filepath.Abs(*built)
	}
	return lab.BuildOwn("../../cmd/nodetriage", scratch)
}

// place runs programs one after another: a proxy with its kubeconfig, and a folder.
type place struct {
	*faulty.Proxy
	kubeconfig, dir string
	timeout         string // of a request; empty: depends on the fault
	slow            int    // factor for the usual timeout of a request
}

func newPlace(name string) (*place, error) {
	config, err := plane.Config()
	if err != nil {
		return nil, err
	}
	proxy, err := faulty.Start(config, nodes...)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := plane.Behind("faulty-"+name, proxy.URL)
	if err != nil {
		proxy.Close()
		return nil, err
	}
	dir := filepath.Join(scratch, name)
	return &place{Proxy: proxy, kubeconfig: kubeconfig, dir: dir}, os.MkdirAll(dir, 0o755)
}
