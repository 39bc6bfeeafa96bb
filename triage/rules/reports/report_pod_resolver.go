package reports

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// PodResolver checks the name servers that the kubelet gives to pods. A loopback address is a different host in each pod. Pods that
// use the cluster DNS are not affected, so by itself this is only information. A cluster DNS that stopped on a forwarding loop
// confirms it.
var PodResolver = &triage.Rule{
	ID:    "report-pod-resolver",
	Doc:   "Reads the resolv.conf that the kubelet gives to pods: a loopback address in it does not work inside a pod.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.PodResolver == nil {
				return
			}
			i := slices.IndexFunc(r.PodResolver.Servers, func(s string) bool {
				at, err := netip.ParseAddr(s)
				return err == nil && at.IsLoopback()
			})
			if i < 0 {
				return
			}
			file, server := r.PodResolver.File, r.PodResolver.Servers[i]
			c := triage.Claim{
				Says: "node-dns-failure", Subject: subject, Key: "resolvConf", Certainty: triage.Possible, Severity: catalog.Info,
				Fill:     map[string]string{"path": file},
				Evidence: []evidence.Ref{facts.ReportRef(r, r.PodResolver.Ref, "resolvConf "+file, "nameserver %s", server)},
				Summary:  fmt.Sprintf("pods with dnsPolicy Default, such as CoreDNS, get nameserver %s, a loopback address, from %s", server, file),
			}
			for _, m := range facts.SaidOf(p, "node-dns-failure", subject.Name) {
				if m.Signature == "dns-loop" {
					c.Certainty, c.Severity = triage.Certain, ""
					c.Evidence = append(c.Evidence, m.Ref)
					break
				}
			}
			p.Found(c)
		})
	},
}
