package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/controller/alertwebhook"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// settings are the flags. A file with --config has the same names and values; flags take precedence.
type settings struct {
	Kubeconfig     string `json:"kubeconfig,omitempty"`
	ClusterName    string `json:"cluster-name,omitempty"`
	LeaderElect    bool   `json:"leader-elect"`
	LeaseNamespace string `json:"lease-namespace,omitempty"`
	MetricsAddress string `json:"metrics-address,omitempty"`
	MetricsSecure  bool   `json:"metrics-secure"`
	HealthAddress  string `json:"health-address,omitempty"`
	AskKubelets    bool   `json:"ask-kubelets"`
	NodeCondition  bool   `json:"node-condition"`
	Veto           bool   `json:"veto"`

	upgradeGate  `json:",inline"`
	alertWebhook `json:",inline"`
}

func defaults() settings {
	return settings{
		ClusterName: "this cluster", LeaderElect: true, MetricsAddress: ":8443", MetricsSecure: true, HealthAddress: ":8081",
		AskKubelets:  true,
		upgradeGate:  upgradeGate{Provider: "nodetriage.dev", OnDeadline: string(gate.Proceed)},
		alertWebhook: alertWebhook{Form: string(alertwebhook.Generic)},
	}
}

// flags binds the settings.
func (s *settings) flags(name string, out io.Writer) *pflag.FlagSet {
	set := pflag.NewFlagSet(name, pflag.ContinueOnError)
	set.SortFlags = false
	set.SetOutput(out)
	set.String("config", "", "Settings from a YAML `FILE` with the names of these flags. Flags take precedence.")
	set.StringVar(&s.Kubeconfig, "kubeconfig", s.Kubeconfig, "Cluster and user. The default is the service account of the pod.")
	set.StringVar(&s.ClusterName, "cluster-name", s.ClusterName, "Name of the cluster in reports.")
	set.BoolVar(&s.LeaderElect, "leader-elect", s.LeaderElect, "Publish only as the leader. Other replicas judge too, so that they can take over.")
	set.StringVar(&s.LeaseNamespace, "lease-namespace", s.LeaseNamespace, "Namespace of the lease of the leader. The default is the namespace of the pod.")
	set.StringVar(&s.MetricsAddress, "metrics-address", s.MetricsAddress, "Address of /metrics; 0 serves none.")
	set.BoolVar(&s.MetricsSecure, "metrics-secure", s.MetricsSecure, "Serve /metrics with TLS to users that the API server authorizes.")
	set.StringVar(&s.HealthAddress, "health-address", s.HealthAddress, "Address of /healthz and /readyz; 0 serves none.")
	set.BoolVar(&s.AskKubelets, "ask-kubelets", s.AskKubelets, "Read the endpoints of kubelets of unhealthy nodes, and the reports of agents. Needs get on nodes/proxy.")
	set.BoolVar(&s.NodeCondition, "node-condition", s.NodeCondition, "Set the condition NodetriageHealthy of nodes, which repair tools can read. Needs patch on nodes/status.")
	set.BoolVar(&s.Veto, "veto", s.Veto, "While nodes fail together, mark them and pause health checks, so that tools do not scale them down or repair them one by one. Needs patch on nodes.")
	set.BoolVar(&s.Enabled, "upgrade-gate", s.Enabled, "Answer the health check requests of AKS upgrades (preview). Create an UpgradeGatePolicy only while this is on: AKS stops upgrades without an answer.")
	set.StringVar(&s.Provider, "upgrade-gate-provider", s.Provider, "Provider in the UpgradeGatePolicy, and label of the answers.")
	set.StringVar(&s.OnDeadline, "upgrade-gate-on-deadline", s.OnDeadline, "What to answer 30 s before the deadline of a node without a proven fault: proceed or abort.")
	set.StringVar(&s.Address, "alert-webhook-address", s.Address, "Address for notifications of Alertmanager at /alertmanager. Each alert about a node becomes a message that says why. The default is none.")
	set.StringVar(&s.TokenFile, "alert-webhook-token-file", s.TokenFile, "`FILE` with the bearer token that Alertmanager sends.")
	set.StringVar(&s.URLFile, "alert-message-url-file", s.URLFile, "`FILE` with the URL that gets the messages.")
	set.StringVar(&s.Form, "alert-message-form", s.Form, "Form of the messages: generic (JSON), slack, or teams.")
	set.Bool("version", false, "Print the version.")
	set.Usage = func() {
		fmt.Fprintf(out, "nodetriage-controller watches a cluster and publishes why nodes are unhealthy, as NodeDiagnosis objects and Events.\n\nUsage:\n  %s [flags]\n\nFlags:\n%s", name, set.FlagUsages())
	}
	return set
}

// read returns the settings of the arguments. show is true if only the version is wanted.
func read(args []string, out io.Writer) (s settings, show bool, err error) {
	s = defaults()
	set := s.flags("nodetriage-controller", out)
	if err := set.Parse(args); err != nil {
		return s, false, err
	}
	if set.NArg() > 0 {
		return s, false, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	show, _ = set.GetBool("version")
	file, _ := set.GetString("config")
	if file == "" {
		return s, show, s.valid()
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return s, false, err
	}
	s = defaults()
	if err := bounds.YAMLStrict(text, &s); err != nil {
		return s, false, fmt.Errorf("invalid settings in %s: %w", file, err)
	}
	if err := s.flags("nodetriage-controller", io.Discard).Parse(args); err != nil { // again, on top of the file
		return s, show, err
	}
	return s, show, s.valid()
}

// valid returns an error for values that do not fit.
func (s *settings) valid() error { return errors.Join(s.upgradeGate.check(), s.alertWebhook.check()) }

// namespaceFile has the namespace of the pod.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// leaseNamespace returns the namespace of the lease.
func (s *settings) leaseNamespace() (string, error) {
	if s.LeaseNamespace != "" || !s.LeaderElect {
		return s.LeaseNamespace, nil
	}
	text, err := os.ReadFile(namespaceFile)
	if err != nil {
		return "", errors.New("not in a pod: name the namespace of the lease with --lease-namespace")
	}
	return string(text), nil
}
