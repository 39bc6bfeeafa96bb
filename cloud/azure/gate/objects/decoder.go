// Package objects decodes the objects of upgrade health gates from kubectl output and from a live cluster: who may stop an upgrade, and
// the verdicts. It sends no requests.
package objects

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	maxName = 500  // bytes of a name
	maxText = 1000 // bytes of a message
	maxRule = 1000 // rules of a policy
)

// Decoder decodes single objects.
type Decoder struct{}

// Objects reports whether this package decodes objects of this kind.
func (Decoder) Objects(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == upgrade.Group && kind == "UpgradeGatePolicy" || group == health.Group && kind == "HealthSignal"
}

// Knows reports whether the JSON is such an object.
func (d Decoder) Knows(tree map[string]any) bool {
	version, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	return d.Objects(version, kind)
}

// Decode decodes an object. It skips what does not match the API.
func (Decoder) Decode(tree map[string]any, source string) cloud.Decoded {
	kind, _ := tree["kind"].(string)
	data, err := json.Marshal(tree)
	if err != nil {
		return cloud.Decoded{Name: kind}
	}
	if kind == "UpgradeGatePolicy" {
		var p upgrade.UpgradeGatePolicy
		if json.Unmarshal(data, &p) != nil || p.Name == "" {
			return cloud.Decoded{Name: kind}
		}
		return decoded(kind, p.Name, gateOf(&p, source))
	}
	var s health.HealthSignal
	if json.Unmarshal(data, &s) != nil || s.Name == "" {
		return cloud.Decoded{Name: kind}
	}
	return decoded(kind, s.Name, verdictOf(&s, source))
}

func decoded(kind, name string, r evidence.CloudResource) cloud.Decoded {
	return cloud.Decoded{Name: kind + " " + wording.Cut(name, maxName), Resources: []evidence.CloudResource{r}}
}

func item(kind, name, source string) evidence.CloudItem {
	name = wording.Cut(name, maxName)
	return evidence.CloudItem{Type: kind, Name: name, Ref: evidence.Ref{Source: source}}
}

func gateOf(p *upgrade.UpgradeGatePolicy, source string) *evidence.CloudGate {
	g := &evidence.CloudGate{CloudItem: item(p.Kind, p.Name, source), Provider: wording.Cut(p.Spec.Provider, maxName)}
	for _, r := range p.Spec.Rules[:min(len(p.Spec.Rules), maxRule)] {
		rule := evidence.GateRule{Timeout: r.Timeout()}
		if r.Target.Scope == upgrade.NodePool {
			rule.Pool = wording.Cut(r.Target.Name, maxName)
		}
		g.Rules = append(g.Rules, rule)
	}
	return g
}

var scopes = map[health.SignalType]string{health.NodeHealth: "node", health.NodePoolHealth: "node pool", health.ClusterHealth: "cluster"}

func verdictOf(s *health.HealthSignal, source string) *evidence.CloudVerdict {
	v := &evidence.CloudVerdict{CloudItem: item(s.Kind, s.Name, source), Provider: wording.Cut(s.Labels[health.ProviderLabel], maxName), Scope: scopes[s.Spec.Type], About: evidence.ClusterSubject()}
	if t := s.Spec.TargetRef; t != nil && t.Name != "" && s.Spec.Type == health.NodeHealth {
		v.About = evidence.NodeSubject(wording.Cut(t.Name, maxName))
	}
	for _, c := range s.Status.Conditions {
		if v.Status != evidence.Unknown && c.Status != metav1.ConditionFalse {
			continue
		}
		v.Status = map[metav1.ConditionStatus]evidence.Fact{metav1.ConditionTrue: evidence.True, metav1.ConditionFalse: evidence.False}[c.Status]
		v.Reason, v.Message, v.Since = wording.Cut(c.Reason, maxName), wording.Cut(c.Message, maxText), c.LastTransitionTime.UTC()
		v.Ref.Locator = ".status.conditions[" + wording.Cut(c.Type, maxName) + "]"
		if v.Status == evidence.False {
			break // one False is enough to stop the upgrade
		}
	}
	v.Ref.ObservedAt = v.Since
	v.Ref.Text = strings.TrimSpace(v.Provider + ": " + v.Reason + ": " + v.Message)
	return v
}

// Resources returns what to read of a cluster with machines of these provider IDs.
func Resources(providerIDs []string) []cloud.Object {
	ofAzure := func(id string) bool { return strings.HasPrefix(id, "azure://") }
	if !slices.ContainsFunc(providerIDs, ofAzure) {
		return nil
	}
	return []cloud.Object{{Group: upgrade.Group, Version: "v1alpha1", Name: "upgradegatepolicies"}, {Group: health.Group, Version: "v1alpha1", Name: "healthsignals"}}
}
