package execute

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// attempts is the maximum number of tries after a conflict or without an answer.
const attempts = 8

// mark returns a mark of this drain.
func (d *marker) mark(before any) (evidence.Mark, error) {
	now := d.now()
	m := evidence.Mark{By: d.opt.By, Run: d.run, Host: d.host, PID: os.Getpid(), At: now, Renewed: now}
	if before == nil {
		return m, nil
	}
	data, err := json.Marshal(before)
	m.Before = data
	return m, err
}

// alive reports whether the drain of the mark is still active. On this machine it checks the process, so that a killed
// drain can be restarted at once.
func (d *marker) alive(m *evidence.Mark) bool {
	return m.Alive(d.now()) && (m.Host != d.host || runs(m.PID))
}

// runs reports whether the process exists.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return err == nil || !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// now returns the clock of the server because marks of several machines are compared.
func (d *marker) now() time.Time {
	if t := d.opt.Reader.ServerTime(); !t.IsZero() {
		return t.UTC()
	}
	return time.Now().UTC().Truncate(time.Second)
}

// annotate returns the operation that sets an annotation, with or without existing annotations.
func annotate(annotations map[string]string, key, value string) kube.Operation {
	if len(annotations) == 0 {
		return kube.Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{key: value}}
	}
	return kube.Operation{Op: "add", Path: annotation(key), Value: value}
}

// annotation returns the path of an annotation in a JSON patch.
func annotation(key string) string {
	return "/metadata/annotations/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// marked is an object with a mark of this drain.
type marked struct {
	// renew writes the mark with a new time if it still belongs to this drain.
	renew func(ctx context.Context) error
}

// keepAlive renews the marks until ctx ends. A failed renewal is retried with the next one.
func (d *marker) keepAlive(ctx context.Context) {
	for pause(ctx, evidence.Abandoned/4) {
		d.mu.Lock()
		marks := append([]marked(nil), d.marks...)
		d.mu.Unlock()
		for _, m := range marks {
			_ = m.renew(ctx)
		}
	}
}

// holds records that an object has a mark of this drain.
func holds[T any, PT interface {
	*T
	GetAnnotations() map[string]string
}](d *marker, res kube.Resource[T], namespace, name, key string) {
	renew := func(ctx context.Context) error {
		obj, err := kube.Get(ctx, d.opt.Reader, res, namespace, name)
		if err != nil {
			return err
		}
		old := PT(obj).GetAnnotations()[key]
		m := evidence.ReadMark(PT(obj).GetAnnotations(), key)
		if m == nil || m.Run != d.run {
			return nil
		}
		m.Renewed = d.now()
		_, err = kube.Patch(ctx, d.opt.Writer, res, namespace, name, []kube.Operation{
			{Op: "test", Path: annotation(key), Value: old}, {Op: "replace", Path: annotation(key), Value: m.String()},
		})
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks = append(d.marks, marked{renew})
}

// again repeats a read-modify-write after conflicts and server errors.
func again(ctx context.Context, change func() error) error {
	var err error
	for i := range attempts {
		wait := min(time.Second<<i, drain.RetryAfter)
		switch err = change(); kube.ReasonOf(err) {
		case kube.Conflict:
			wait = time.Duration(i) * 100 * time.Millisecond
		case kube.Throttled, kube.Unavailable, kube.Unreachable, kube.Timeout:
		default:
			return err
		}
		if !pause(ctx, wait) {
			break
		}
	}
	return err
}

// pause reports whether the time passed before ctx ended.
func pause(ctx context.Context, d time.Duration) bool { return kube.Sleep(ctx, d) == nil }
