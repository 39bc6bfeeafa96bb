package cloud

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// claimTime is how long a NodeClaim may take: Karpenter stops after 15 minutes (registrationTTL of
// pkg/controllers/nodeclaim/lifecycle/liveness.go, v1.6.0) and starts again.
const claimTime = 10 * time.Minute

// MachinesWaiting finds machines whose own objects show that they have no node long after their creation.
var MachinesWaiting = &triage.Rule{
	ID:    "cloud-machines-waiting",
	Doc:   "Finds Machines of the Cluster API and of OpenShift and NodeClaims of Karpenter that have no node long after their creation.",
	Needs: []evidence.Kind{evidence.CloudState},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		byNode, _ := facts.Machines(p)
		for _, name := range facts.SortedKeys(byNode) {
			m := byNode[name]
			if m.AwaitsNode != evidence.True || stopped(m) || nodeOf(p, m) {
				continue
			}
			age, known := p.Age(m.Created)
			if m.Ago != nil {
				age, known = *m.Ago, true
			}
			switch {
			case !known:
				p.Unknown("how long "+m.Type+" "+m.Name+" has been waiting for its node", "its age is not in the evidence", "kubectl get machines,nodeclaims -A")
			case age >= timeToJoin(m):
				says := "no node has joined " + wording.Duration(age) + " after its creation"
				if m.State != "" {
					says = "phase " + m.State + ", " + says
				}
				p.Found(triage.Claim{
					Says: "node-never-came", Subject: evidence.NodeSubject(name), Since: m.Created, Key: "machine",
					Evidence: []evidence.Ref{facts.CloudRef(m, "status", says)},
				})
			}
		}
	},
}

func timeToJoin(m *evidence.CloudMachine) time.Duration {
	if m.Type == "NodeClaim" {
		return claimTime
	}
	return joinTime
}

// stopped reports whether a machine is off or deleted, so that it waits for nothing.
func stopped(m *evidence.CloudMachine) bool { return m.Up.Off() || m.Up == evidence.PowerEnded }

// nodeOf reports whether a node with the name or provider ID of the machine exists.
func nodeOf(p *triage.Pass, m *evidence.CloudMachine) bool {
	for _, n := range p.Snapshot.Nodes() {
		_, id, _ := strings.Cut(n.Spec.ProviderID, "://")
		if strings.EqualFold(n.Name, m.Name) || m.ID != "" && strings.EqualFold(id, m.ID) {
			return true
		}
	}
	return false
}
