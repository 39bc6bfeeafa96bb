package cloud

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// Health reads what the platform says of its own health: of the machine behind a node that is not Ready, of the
// managed cluster, and of services. Source: the documentation of Azure Resource Health.
var Health = &triage.Rule{
	ID:    "cloud-health",
	Doc:   "Joins nodes that are not Ready, and failed clusters, with the cloud's own word on its health.",
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		word := map[string]*evidence.CloudResource{}
		for _, h := range facts.Resources(p, "health") {
			on, _, _ := strings.Cut(strings.ToLower(h.ID), "/providers/microsoft.resourcehealth/")
			word[on] = h
		}
		sick := false
		for _, n := range p.Snapshot.Nodes() {
			if !n.NotReady() {
				continue
			}
			sick = true
			if h := word[machineID(n)]; h != nil {
				machineHealth(p, n, h)
			}
		}
		for _, c := range facts.Resources(p, "cluster") {
			if h := word[strings.ToLower(c.ID)]; h != nil {
				clusterHealth(p, c, h)
			}
			sick = sick || facts.Failed(c)
		}
		for _, e := range facts.Resources(p, "service-event") {
			if sick && strings.EqualFold(e.Properties["status"], "Active") && strings.EqualFold(e.Properties["eventType"], "ServiceIssue") {
				p.Found(triage.Claim{
					Says: "cloud-service-error", Subject: evidence.ClusterSubject(), Confidence: triage.Possible, Key: e.Name, Since: facts.ParseTime(e.Properties["since"]),
					Summary: "the cloud reports an issue of its own: " + facts.OrUnknown(e.Properties["title"]), Evidence: []evidence.Ref{facts.CloudRef(e, "title", e.Properties["title"])},
				})
			}
		}
	},
}

func machineHealth(p *triage.Pass, n *evidence.Node, h *evidence.CloudResource) {
	state, cause := h.Properties["availabilityState"], h.Properties["healthEventCause"]
	c := triage.Claim{
		Subject: n.Subject(), Key: "health", Confidence: triage.Likely, Since: facts.ParseTime(h.Properties["since"]),
		Evidence: []evidence.Ref{facts.CloudRef(h, "availabilityState", strings.TrimSpace(state+" "+cause+" "+h.Properties["reasonType"]+" "+h.Properties["summary"]))},
	}
	byPlatform := strings.Contains(strings.ToLower(cause+h.Properties["reasonType"]), "platform") || cause == "" && strings.EqualFold(h.Properties["reasonType"], "Unplanned")
	switch {
	case strings.EqualFold(state, "Available"):
		p.RuleOut("cloud-host-maintenance", n.Subject(), "the cloud knows of no trouble of the platform with its machine")
	case state == "" || strings.EqualFold(state, "Unknown"):
		p.Unknown("whether the platform has trouble with the machine of "+n.Name, "the cloud says of its health: "+facts.OrUnknown(state), "look again in ten minutes")
	case byPlatform:
		c.Says, c.Summary = "cloud-host-maintenance", "the cloud says that the machine is "+state+" because of its platform: it heals or moves the machine by itself"
		p.Found(c)
	default:
		c.Says, c.Summary, c.Confidence = "machine-off", "the cloud says that the machine is "+state+" because of what a user did", triage.Possible
		p.Found(c)
	}
}

func clusterHealth(p *triage.Pass, c, h *evidence.CloudResource) {
	switch state := h.Properties["availabilityState"]; strings.ToLower(state) {
	case "unavailable", "degraded":
		p.Found(triage.Claim{
			Says: "cloud-service-error", Subject: evidence.ClusterSubject(), Confidence: triage.Likely, Key: "health", Since: facts.ParseTime(h.Properties["since"]),
			Summary:  strings.TrimSpace("the cloud says that the cluster " + c.Name + " is " + state + ": " + h.Properties["summary"]),
			Evidence: []evidence.Ref{facts.CloudRef(h, "availabilityState", strings.TrimSpace(state+" "+h.Properties["summary"]))},
		})
		p.Unknown("why the control plane of "+c.Name+" is "+state, "its logs and the cloud's own checks were not read",
			detectors(p)+"; where its logs go: az monitor diagnostic-settings list --resource "+clusterID(p))
	case "available":
		p.RuleOut("cloud-service-error", evidence.ClusterSubject(), "the cloud knows of no trouble of its own with the cluster")
	}
}
