//go:build unix

package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// Forecast contains the checked fields of predict -o json.
type Forecast struct {
	Kind     string
	TakenAt  time.Time
	EventAt  *time.Time
	Timeline []Moment
	Pods     []Fate
	// Workloads are the workloads of the pods, without DaemonSets.
	Workloads []struct {
		Kind, Name             string
		Wanted, Hit, Elsewhere int
		Outage                 bool
	}
	// Strays are nodes that may get the taint although their zone stopped evictions.
	Strays []struct {
		UpTo  int
		Nodes []string
	}
}

// Moment is one line of the timeline.
type Moment struct {
	lab.Interval
	Subject  struct{ Kind, Namespace, Name string }
	What     string
	Possible bool
}

// Fate is the fate of one pod.
type Fate struct {
	Namespace, Name, Node, Owner, Fate          string
	NotReadyAt, ReadyAgainAt, DeletedAt, GoneAt *lab.Interval
	Replacement                                 struct {
		Kind, Placement, Message string
		At, StartsAt             *lab.Interval
		Nodes                    int
	}
	Because []string
}

const unable = 2 // higher exit codes: there is no forecast

// predict runs the program.
func predict(ctx context.Context, program string, s *stage) (*Forecast, error) {
	args := append([]string{"predict", "-o", "json", "--kubeconfig", s.plane.Kubeconfig}, s.Args...)
	if s.Restart > 0 {
		args = append(args, "--manager-restart", s.Restart.String())
	}
	if s.plane.manager != "" {
		args = append(args, "--manager-flags", s.plane.manager)
	}
	if s.By != "" {
		args = append(args, s.By, s.Name)
	} else {
		args = append(args, s.down...)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	var says bytes.Buffer
	cmd.Stderr = &says
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() <= unable) {
		return nil, fmt.Errorf("predict %s: %w: %s", strings.Join(s.Args, " "), err, bytes.TrimSpace(says.Bytes()))
	}
	f := &Forecast{}
	if err := json.Unmarshal(out, f); err != nil {
		return nil, fmt.Errorf("read the forecast: %w", err)
	}
	return f, nil
}
