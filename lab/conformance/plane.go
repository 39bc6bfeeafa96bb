//go:build unix

package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// setting describes how the components of a control plane are started, and the resulting times.
type setting struct {
	manager   string // flags of kube-controller-manager, as predict accepts them
	apiServer []string
	standby   bool // a second controller manager is on standby
	guarded   bool // a healthy node remains, so that never all nodes are down

	period, slot time.Duration // of the node lifecycle controller
	nextPass     bool          // it adds the NoExecute taint one pass after it detects the lost node, as up to 1.33
}

// The control planes. Only flags of the components shorten the timers of the short ones.
const (
	shortManager = "node-monitor-grace-period=20s,node-monitor-period=2s,kube-api-qps=200,kube-api-burst=400"
	shortSeconds = 10
)

var shortServer = []string{
	fmt.Sprintf("--default-not-ready-toleration-seconds=%d", shortSeconds),
	fmt.Sprintf("--default-unreachable-toleration-seconds=%d", shortSeconds),
}

func short(guarded bool) setting {
	return setting{manager: shortManager, apiServer: shortServer, guarded: guarded, period: 2 * time.Second, slot: 10130 * time.Millisecond}
}

var settings = map[string]setting{
	"short":    short(true),
	"restart":  short(true), // its controller manager is killed
	"leader":   standby(),
	"dark":     short(false),
	"busy":     busy(),
	"defaults": {guarded: true, period: 5 * time.Second, slot: 10130 * time.Millisecond},
}

func standby() setting {
	s := short(true)
	s.standby = true
	return s
}

// busy keeps the default request rate of the controllers.
func busy() setting {
	s := short(true)
	s.manager = "node-monitor-grace-period=20s,node-monitor-period=2s"
	return s
}

// plane is a watched control plane.
type plane struct {
	*lab.ControlPlane
	setting
	name     string
	client   *kubernetes.Clientset
	recorder *recorder
	lag      *canary
	metrics  string // port of the controller manager
	certs    string // folder for its certificate
	restart  *restart
}

func startPlane(ctx context.Context, name, kubernetes string) (*plane, error) {
	p := &plane{setting: settings[name], name: name}
	p.nextPass = kubernetes != "" && kubernetes < "1.34"
	opt := lab.Options{Kubernetes: kubernetes, APIServerArgs: p.apiServer, ControllerArgs: []string{tellTurns}}
	for flag := range strings.SplitSeq(p.manager, ",") {
		if flag != "" {
			opt.ControllerArgs = append(opt.ControllerArgs, "--"+flag)
		}
	}
	var err error
	if p.metrics, err = freePort(); err != nil {
		return nil, err
	}
	if p.certs, err = os.MkdirTemp("", "nodetriage-conformance-"); err != nil {
		return nil, err
	}
	if !p.standby { // two would need the same port
		opt.ControllerArgs = append(opt.ControllerArgs, metricsArgs(p.metrics, p.certs)...)
	}
	if p.ControlPlane, err = lab.Start(ctx, opt); err != nil {
		return nil, err
	}
	if p.standby {
		err = p.leads(ctx)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	if p.client, err = p.Client(); err == nil {
		p.recorder = record(ctx, p.client)
		go attach(ctx, p.client)
		p.lag, err = startCanary(ctx, p)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("prepare control plane %s: %w", name, err)
	}
	return p, nil
}

// leads starts a second controller manager when the first one is the leader.
func (p *plane) leads(ctx context.Context) error {
	client, err := p.Client()
	if err != nil {
		return err
	}
	err = await(ctx, time.Minute, "a controller manager that leads", func() bool {
		_, err := client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, "kube-controller-manager", metav1.GetOptions{})
		return err == nil
	})
	if err != nil {
		return err
	}
	return p.StartManager()
}

func (p *plane) stop() {
	p.Stop()
	os.RemoveAll(p.certs)
}

// await polls until the condition is true.
func await(ctx context.Context, within time.Duration, what string, holds func() bool) error {
	end := time.Now().Add(within)
	for !holds() {
		if time.Now().After(end) {
			return fmt.Errorf("wait for %s: not within %s", what, within)
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func namespace(ctx context.Context, client *kubernetes.Clientset, name string) error {
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	return err
}
