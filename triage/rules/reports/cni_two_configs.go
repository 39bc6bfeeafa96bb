package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// CNITwoConfigs finds nodes with configuration files of two network plugins, or with an old and a new file of one. The runtime
// takes the first in lexical order, whichever is intended (containerd/go-cni opts.go loadFromConfDir; cri-o ocicni). If agents are
// in the evidence, CNILeftovers is more accurate.
var CNITwoConfigs = &triage.Rule{
	ID:    "cni-two-configs",
	Doc:   "Finds CNI configuration files of more than one network plugin on a node.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, pod := range p.Snapshot.Pods() {
			if facts.NetworkAgent(pod.Name) != "" {
				return
			}
		}
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.CNI == nil {
				return
			}
			first, other := rivals(r.CNI.Configs)
			if first == "" {
				return
			}
			p.Found(triage.Claim{
				Says: "cni-leftover-config", Subject: subject, Certainty: triage.Possible, Key: first,
				Summary:  fmt.Sprintf("%s is used because it sorts before %s; one of them is a leftover", first, other),
				Evidence: []evidence.Ref{facts.ReportRef(r, r.CNI.Ref, r.CNI.ConfigDir, "%s", strings.Join(r.CNI.Configs, " "))},
			})
		})
	},
}

// rivals returns the file that the runtime takes and the first other one for the pod network. Multus and chained cloud plugins add
// their own file on purpose.
func rivals(files []string) (first, other string) {
	for _, f := range slices.Sorted(slices.Values(files)) {
		plugin := components.OfCNI(f)
		if ext := path.Ext(f); ext != ".conf" && ext != ".conflist" {
			continue
		}
		switch {
		case plugin == nil:
		case plugin.Chained:
			return "", ""
		case first == "":
			first = f
		case other == "":
			other = f
		}
	}
	if other == "" {
		return "", ""
	}
	return first, other
}
