package cloud

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Health reads the health that the platform reports: of the machine behind a NotReady node, of the managed cluster, and of
// services. Source: the documentation of Azure Resource Health.
var Health = &triage.Rule{
	ID:    "cloud-health",
	Doc:   "Compares NotReady nodes and failed clusters with the health that the cloud reports, and lists VMs that a health probe reports as unhealthy.",
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		probed(p)
		word := map[string]*evidence.CloudHealth{}
		for _, h := range facts.Resources[*evidence.CloudHealth](p) {
			word[h.On] = h
		}
		sick := false
		for _, n := range p.Snapshot.Nodes() {
			if !n.NotReady() {
				continue
			}
			sick = true
			h := word[machineID(n)]
			if h != nil && h.Since.After(p.Snapshot.TakenAt()) && !p.Snapshot.TakenAt().IsZero() {
				p.RuleOut("cloud-host-maintenance", n.Subject(), "the scheduled event of its VM has not started")
			} else if h != nil {
				machineHealth(p, n, h)
			}
		}
		for _, c := range facts.Resources[*evidence.CloudCluster](p) {
			if h := word[strings.ToLower(c.ID)]; h != nil {
				clusterHealth(p, c, h)
			}
			sick = sick || c.Failed()
		}
		for _, e := range facts.Resources[*evidence.CloudServiceEvent](p) {
			if sick && e.Current {
				p.Found(triage.Claim{
					Says: "cloud-service-error", Subject: evidence.ClusterSubject(), Certainty: triage.Possible, Key: e.Name, Since: e.Since,
					Summary: "the cloud reports a service issue: " + facts.OrUnknown(e.Title), Evidence: []evidence.Ref{facts.CloudRef(e, "title", e.Title)},
				})
			}
		}
	},
}

func machineHealth(p *triage.Pass, n *evidence.Node, h *evidence.CloudHealth) {
	state := h.Word
	c := triage.Claim{
		Subject: n.Subject(), Key: "health", Certainty: triage.Likely, Since: h.Since,
		Evidence: []evidence.Ref{facts.CloudRef(h, "availabilityState", strings.TrimSpace(state+" "+h.Cause+" "+h.Kind+" "+h.Summary))},
	}
	switch {
	case h.Available == evidence.Available:
		p.RuleOut("cloud-host-maintenance", n.Subject(), "the cloud reports no platform problem of its VM")
	case h.Available == evidence.AvailableUnknown:
		p.Unknown("whether the VM of "+n.Name+" has a platform problem", "the cloud reports its health as "+facts.OrUnknown(state), "repeat in 10 minutes")
	case h.ByPlatform:
		c.Says, c.Summary = "cloud-host-maintenance", "the VM is "+state+" because of a platform problem; the cloud repairs or moves the VM automatically"
		p.Found(c)
	default:
		c.Says, c.Summary, c.Certainty = "machine-off", "the VM is "+state+" because of a user's operation", triage.Possible
		p.Found(c)
	}
}

func clusterHealth(p *triage.Pass, c *evidence.CloudCluster, h *evidence.CloudHealth) {
	switch state := h.Word; h.Available {
	case evidence.Degraded:
		p.Found(triage.Claim{
			Says: "cloud-service-error", Subject: evidence.ClusterSubject(), Certainty: triage.Likely, Key: "health", Since: h.Since,
			Summary:  strings.TrimSpace("the cloud reports cluster " + c.Name + " as " + state + ": " + h.Summary),
			Evidence: []evidence.Ref{facts.CloudRef(h, "availabilityState", strings.TrimSpace(state+" "+h.Summary))},
		})
		p.Unknown("why the control plane of "+c.Name+" is "+state, "its logs and the cloud's diagnostics were not read",
			detectors(p)+"; its log destinations: "+facts.Cloud(p).Command(advice.ShowLogTargets, clusterID(p)))
	case evidence.Available:
		p.RuleOut("cloud-service-error", evidence.ClusterSubject(), "the cloud reports no service problem of the cluster")
	}
}

// probed lists machines with a failing application health probe, so that it is not mistaken for the machine or its kubelet.
func probed(p *triage.Pass) {
	var ill []string
	for _, m := range facts.Resources[*evidence.CloudMachine](p) {
		if m.ProbeFails {
			ill = append(ill, cmp.Or(m.Host, m.Name))
		}
	}
	if len(ill) > 0 {
		p.Unknown("what the health extension probes on "+wording.Some(ill), "it reports the VM as unhealthy, but it probes a configured application, not the kubelet",
			"the settings of the health extension of its scale set")
	}
}
