package survey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect/kubelets"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/wording"
)

// Bounds for kubelet responses, in bytes.
const (
	maxHealthz = 16 << 10
	maxConfigz = 1 << 20
	maxMetrics = 64 << 20 // read as a stream
	maxSummary = 64 << 20 // read as a stream up to the end of its node part
	maxNodeLog = 64 << 20 // read as a stream
	logLines   = 20_000   // the newest lines of a unit that are requested
)

// probe sends requests to one kubelet through the node proxy of the API server. They share that path, so its failure is recorded
// once. /healthz is cheap for the kubelet and gets half the time. Without a good response to it, the other requests are skipped.
type probe struct {
	survey  *survey
	node    string
	runtime string        // unit name of the container runtime; "" if unknown
	ready   evidence.Fact // Ready condition of the Node object

	mu     sync.Mutex
	result evidence.Kubelet
	pods   []*evidence.PodUsage // running on the node
	failed map[kube.Reason]bool
}

// probe sends all requests to one kubelet concurrently, each with a separate timeout. node may be nil.
func (s *survey) probe(ctx context.Context, name string, node *corev1.Node) {
	p := &probe{survey: s, node: name, result: evidence.Kubelet{Node: name}, failed: map[kube.Reason]bool{}}
	if node != nil {
		p.runtime, p.ready = runtimeUnit(node.Status.NodeInfo.ContainerRuntimeVersion), readiness(node)
	}
	there, gone := context.WithCancel(ctx)
	defer gone()
	var wait sync.WaitGroup
	wait.Go(func() {
		if !p.healthz(ctx) {
			gone()
		}
	})
	wait.Go(func() { p.configz(there) })
	wait.Go(func() { p.metrics(there) })
	wait.Go(func() { p.summary(there) })
	wait.Wait()
	slices.SortFunc(p.result.Refusals, func(a, b evidence.KubeletRefusal) int { return strings.Compare(a.Path, b.Path) })
	if p.result.Healthz == "" && p.result.Error != "" && p.ready == evidence.True {
		p.result.Beats = p.beats(ctx)
	}
	p.result.TakenAt = s.reader.ServerTime()
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		d.Kubelets = append(d.Kubelets, &p.result)
		d.PodUsage = append(d.PodUsage, p.pods...)
	})
	if p.result.Config != nil {
		var wait sync.WaitGroup
		wait.Go(func() { p.logs(ctx) })
		wait.Go(func() { p.report(ctx) })
		wait.Wait()
	}
}

// ask sends one request; read gets the body of a response with status 200. If the kubelet returns a server error, the request is
// repeated after a delay, in which a runtime restart ends. A NotReady node gets no retry: its kubelet reports NotReady only after
// 30 s of failure.
func (p *probe) ask(ctx context.Context, path shell.Text, most int64, read func(io.Reader) error) {
	question := func() error { return p.askOnce(ctx, path, most, read) }
	err := p.patiently(ctx, question)
	var r *refusal
	if errors.As(err, &r) && r.ownError() && p.ready != evidence.False {
		if kube.Sleep(ctx, p.survey.opt.AskAgain) == nil {
			err = question()
		}
	}
	if err != nil && ctx.Err() == nil {
		p.fail(path, err)
	}
}

// patiently repeats a request once after a timeout if the node is Ready: such a node is more often busy than unhealthy.
func (p *probe) patiently(ctx context.Context, question func() error) error {
	err := question()
	if p.ready == evidence.True && noAnswer(err) && ctx.Err() == nil {
		return question()
	}
	return err
}

// noAnswer reports whether the request timed out.
func noAnswer(err error) bool {
	var e *kube.Error
	return errors.As(err, &e) && e.Reason == kube.Timeout && e.Message == ""
}

func (p *probe) askOnce(ctx context.Context, path shell.Text, most int64, read func(io.Reader) error) error {
	return p.survey.reader.NodeProxy(ctx, p.node, string(path), p.survey.opt.ProbeTimeout, most, func(a kube.NodeAnswer) error {
		if a.Status == http.StatusOK {
			return read(a.Body)
		}
		text, _ := io.ReadAll(io.LimitReader(a.Body, maxHealthz))
		return &refusal{a.Status, wording.Cut(strings.TrimSpace(string(text)), maxText)}
	})
}

// refusal is a response of the kubelet other than 200.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("the kubelet answered HTTP %d: %s", r.status, r.text), ": ")
}

// ownError reports whether the kubelet accepted the request but failed to answer it.
func (r *refusal) ownError() bool { return r.status >= http.StatusInternalServerError }

// fail records a failed request. A failure on the path to the kubelet is recorded once, a failure of an endpoint under its name.
func (p *probe) fail(path shell.Text, err error) {
	endpoint, _, _ := strings.Cut(string(path), "?")
	what := "kubelet " + endpoint + " of node/" + p.node
	raw := func(path shell.Text) shell.Text {
		return "kubectl get --raw '" + shell.Format("/api/v1/nodes/{node}/proxy", p.node) + path + "'"
	}
	var e *kube.Error
	var r *refusal
	if errors.As(err, &r) && r.ownError() {
		p.refused(evidence.KubeletRefusal{Path: endpoint, Status: r.status, Text: r.text})
	}
	if !errors.As(err, &e) {
		p.survey.builder.Gap(what, err.Error(), raw(path))
		return
	}
	if noAnswer(err) && p.speaks() {
		p.refused(evidence.KubeletRefusal{Path: endpoint})
		p.survey.builder.Gap(what, "the kubelet answers /healthz, but not this in "+p.survey.opt.ProbeTimeout.String(), raw(path))
		return
	}
	p.mu.Lock()
	first := !p.failed[e.Reason]
	p.failed[e.Reason] = true
	if e.Reason != kube.Forbidden && p.result.Error == "" {
		p.result.Error = wayError(e)
	}
	p.mu.Unlock()
	if !first {
		return
	}
	what = "kubelet of node/" + p.node
	if e.Reason == kube.Forbidden {
		p.survey.builder.Gap(what, "forbidden: "+e.Message,
			"allow it: kubectl create clusterrole nodetriage-kubelet --verb=get --resource=nodes/proxy, and bind it to this user (it lets its holder run commands in pods too), or on the node: curl -sk https://localhost:10250/healthz")
		return
	}
	p.survey.builder.Gap(what, wayError(e), raw("/healthz"))
}

func (p *probe) refused(r evidence.KubeletRefusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.result.Refusals = append(p.result.Refusals, r)
}

// speaks reports whether the kubelet responded to /healthz, in half the timeout of other requests.
func (p *probe) speaks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.result.Healthz != ""
}

// wayError describes a failure on the path to a kubelet.
func wayError(e *kube.Error) string {
	if noAnswer(e) {
		return "no answer through the API server in time"
	}
	return strings.TrimSuffix(fmt.Sprintf("%s: %s", e.Reason, e.Message), ": ")
}

// healthz records the health response of the kubelet; a response other than "ok" is evidence, not a gap. It reports whether the
// kubelet responds and authorizes the API server.
func (p *probe) healthz(ctx context.Context) bool {
	err := p.patiently(ctx, func() error { return p.askHealth(ctx) })
	var r *refusal
	switch {
	case err == nil:
		return true
	case errors.As(err, &r):
		p.mu.Lock()
		p.result.Error = r.Error()
		p.mu.Unlock()
		p.survey.builder.Gap("kubelet of node/"+p.node, r.Error(), "check that the kubelet trusts the API server's client certificate and lets it in, or on the node: curl -sk https://localhost:10250/healthz")
	default:
		p.fail("/healthz", err)
	}
	return false
}

func (p *probe) askHealth(ctx context.Context) error {
	return p.survey.reader.NodeProxy(ctx, p.node, "/healthz", p.survey.opt.ProbeTimeout/2, maxHealthz, func(a kube.NodeAnswer) error {
		text, err := io.ReadAll(a.Body)
		if err != nil {
			return err
		}
		body := wording.Cut(strings.TrimSpace(string(text)), maxText)
		if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden {
			return &refusal{a.Status, body} // the kubelet does not accept the API server
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.result.Healthz = body
		return nil
	})
}

// beats reports whether the kubelet renews its Lease on time. The last renewal may be from just before the kubelet stopped, so it
// waits for the next one. Nil: unknown. Times in a Lease are from the clock of the node, so they are only compared with each
// other.
func (p *probe) beats(ctx context.Context) *bool {
	before := p.renewed(ctx)
	if before.IsZero() {
		return nil
	}
	due := before.Add(p.survey.opt.renewal).Sub(p.survey.reader.ServerTime())
	if kube.Sleep(ctx, min(max(due, time.Second), p.survey.opt.renewal)) != nil {
		return nil
	}
	after := p.renewed(ctx)
	if after.IsZero() {
		return nil
	}
	return new(!after.Equal(before))
}

// renewed returns the renewTime of the node's Lease; zero if it cannot be read.
func (p *probe) renewed(ctx context.Context) time.Time {
	l, err := kube.Get(ctx, p.survey.reader, kube.Leases, corev1.NamespaceNodeLease, p.node)
	if err != nil || l.Spec.RenewTime == nil {
		return time.Time{}
	}
	return l.Spec.RenewTime.Time
}

func (p *probe) configz(ctx context.Context) {
	p.ask(ctx, "/configz", maxConfigz, func(r io.Reader) error {
		config, err := kubelets.ReadConfigz(r)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.result.Config = config
		return err
	})
}

func (p *probe) metrics(ctx context.Context) {
	p.ask(ctx, "/metrics", maxMetrics, func(r io.Reader) error {
		series, err := kubelets.ReadMetrics(r)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.result.Metrics = series
		return err
	})
}

func (p *probe) summary(ctx context.Context) {
	p.ask(ctx, "/stats/summary", maxSummary, func(r io.Reader) error {
		stats, pods, err := kubelets.ReadSummary(r)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.result.Stats, p.pods = stats, pods
		return err
	})
}

// logs scans the logs of the kubelet and the runtime, if the kubelet serves log queries.
func (p *probe) logs(ctx context.Context) {
	if p.result.Config["enableSystemLogQuery"] != "true" || p.result.Config["enableSystemLogHandler"] == "false" {
		p.survey.builder.Gap("kubelet log of node/"+p.node, "the kubelet does not serve the log query",
			"set enableSystemLogQuery: true in its configuration, or on the node: journalctl -u kubelet --no-pager > kubelet.log; nodetriage diagnose kubelet.log")
		return
	}
	var wait sync.WaitGroup
	for _, unit := range []string{"kubelet", p.runtime} {
		if unit == "" {
			continue
		}
		wait.Go(func() {
			p.ask(ctx, shell.Format("/logs/?query={unit}&tailLines={lines}", unit, strconv.Itoa(logLines)), maxNodeLog, func(r io.Reader) error {
				p.survey.builder.ScanText(unit+" log of node/"+p.node, evidence.TextLog, evidence.NodeSubject(p.node), r)
				return nil
			})
		})
	}
	wait.Wait()
}

// runtimeUnit is the systemd unit of a runtime by its version string, "containerd://2.0.1".
func runtimeUnit(version string) string {
	if c := components.OfVersion(version); c != nil {
		return c.Units[0]
	}
	return ""
}

// readiness returns the Ready condition of the Node object.
func readiness(node *corev1.Node) evidence.Fact {
	return (&evidence.Node{Node: node}).Ready()
}
