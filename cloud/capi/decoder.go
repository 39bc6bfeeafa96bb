package capi

import (
	"cmp"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	group          = "cluster.x-k8s.io"
	infrastructure = "infrastructure." + group
	openshift      = "machine.openshift.io"
	karpenter      = "karpenter.sh"

	maxName  = 500  // bytes of a name
	maxText  = 1000 // bytes of a line
	maxLines = 100  // of one object
)

// Decoder decodes single objects.
type Decoder struct{}

// Objects reports whether this package decodes objects of this kind.
func (Decoder) Objects(apiVersion, kind string) bool {
	of, _, _ := strings.Cut(apiVersion, "/")
	switch of {
	case group:
		return kind == "Machine" || kind == "MachineSet" || kind == "MachineDeployment" || kind == "MachinePool"
	case infrastructure:
		return strings.HasSuffix(kind, "Machine")
	case openshift:
		return kind == "Machine"
	case karpenter:
		return kind == "NodeClaim"
	}
	return false
}

// Knows reports whether the JSON is such an object.
func (d Decoder) Knows(tree map[string]any) bool {
	version, _ := tree["apiVersion"].(string)
	kind, _ := tree["kind"].(string)
	return d.Objects(version, kind)
}

// Decode decodes an object. It skips parts that do not match the API.
func (Decoder) Decode(tree map[string]any, source string) cloud.Decoded {
	o := objectOf(tree)
	d := cloud.Decoded{Name: strings.TrimSpace(o.kind + " " + o.name)}
	if o.name == "" {
		return d
	}
	item := evidence.CloudItem{
		Type: o.kind, Name: o.name, State: wording.Cut(o.text("status", "phase"), maxName), Stage: o.stage(), Errors: o.errors(),
		Ref: evidence.Ref{Source: source},
	}
	switch o.kind {
	case "MachineSet":
		d.Resources = append(d.Resources, &evidence.CloudOther{CloudItem: item})
		d.Subject = poolSubject(o.label("deployment-name"))
	case "MachineDeployment", "MachinePool":
		d.Resources = append(d.Resources, o.pool(item))
		d.Subject = poolSubject(o.name)
	default:
		m := o.machine(item)
		d.Resources = append(d.Resources, m)
		if d.Subject = poolSubject(cmp.Or(o.label("deployment-name"), o.label("pool-name"), o.labelOf(karpenter, "nodepool"))); m.Host != "" {
			d.Subject = evidence.NodeSubject(m.Host)
		}
	}
	d.Lines, d.Paths, d.At = o.lines()
	return d
}

func poolSubject(name string) evidence.Subject {
	if name == "" {
		return evidence.Subject{}
	}
	return evidence.Subject{Kind: "Pool", Name: name}
}

// stage maps the phase of an object.
func (o *object) stage() evidence.CloudStage {
	switch phase := o.text("status", "phase"); {
	case phase == "Failed" || len(o.failure()) > 0:
		return evidence.StageFailed
	case phase == "Running" || phase == "Deleted" || phase == "Provisioned":
		return evidence.StageDone
	case phase == "" || phase == "Unknown" || strings.HasPrefix(phase, "Scaling"): // a scaling pool blocks nothing
		return evidence.StageUnknown
	}
	return evidence.StageChanging // Pending, Provisioning, Updating, Deleting, and future phases
}

// failure returns the terminal failure of the object: in its status up to v1beta1, under deprecated in v1beta2.
// OpenShift calls it an error.
func (o *object) failure() []evidence.CloudError {
	for _, at := range [][]string{{"status", "failure"}, {"status", "error"}, {"status", "deprecated", "v1beta1", "failure"}} {
		last := len(at) - 1
		field := func(name string) string { return o.text(append(at[:last:last], at[last]+name)...) }
		reason, message := field("Reason"), field("Message")
		if reason != "" || message != "" {
			return []evidence.CloudError{{Code: wording.Cut(cmp.Or(reason, "failureMessage"), maxName), Message: wording.Cut(message, maxText)}}
		}
	}
	return nil
}

// errors returns the terminal failure, and conditions with severity Error.
func (o *object) errors() []evidence.CloudError {
	out := o.failure()
	for _, c := range o.conditions() {
		if c.Status == "False" && c.Severity == "Error" && c.Type != "Ready" && len(out) < 10 { // Ready repeats the others
			out = append(out, evidence.CloudError{Code: wording.Cut(c.Reason, maxName), Message: wording.Cut(c.Message, maxText), Target: wording.Cut(c.Type, maxName)})
		}
	}
	return out
}

// lines returns the texts for signatures: failures and bad conditions. at is the last transition time of these
// conditions.
func (o *object) lines() (lines, paths []string, at time.Time) {
	add := func(path, text string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && len(lines) < maxLines {
				lines, paths = append(lines, wording.Cut(line, maxText)), append(paths, path)
			}
		}
	}
	for _, e := range o.failure() {
		add("status.failureMessage", e.Code+": "+e.Message)
	}
	for _, c := range o.conditions() {
		if c.Type == "Ready" || !c.bad() {
			continue
		}
		if add("status.conditions "+wording.Cut(c.Type, maxName), c.said()); c.Since.After(at) {
			at = c.Since.UTC()
		}
	}
	return lines, paths, at
}
