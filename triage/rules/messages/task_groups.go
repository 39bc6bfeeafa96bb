package messages

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// podGroup matches the part of a cgroup path that names a pod: kubepods-burstable-pod<uid>.slice, or pod<uid>.
var podGroup = lazyregexp.New(`kubepods\S*pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})`)

// TaskGroups finds whose task limit refused a fork. Limits of the node's own cgroups have their own signature. A pod's limit
// affects only that pod, and other cgroups do not affect the node.
var TaskGroups = &triage.Rule{
	ID:    "task-groups",
	Doc:   "Reads the cgroup in which the kernel rejected a fork: the pids limit of a pod, or of a cgroup that is not part of the node.",
	Needs: []evidence.Kind{evidence.Messages},
	Reads: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, m := range p.Snapshot.MatchesOf("kernel-fork-rejected-bare") {
			seen := map[string]bool{}
			for _, text := range []string{m.Ref.Text, m.LastText} {
				if found := refusedIn.FindStringSubmatch(text); found != nil && !seen[found[1]] {
					seen[found[1]] = true
					judgeGroup(p, m, text, found[1])
				}
			}
		}
	},
}

// refusedIn matches the kernel's message (Linux kernel/cgroup/pids.c, v4.3 to v6.18).
var refusedIn = lazyregexp.New(`fork rejected by pids controller in (/\S{0,240})`)

func judgeGroup(p *triage.Pass, m *evidence.Match, text, group string) {
	ref := m.Ref
	if text != ref.Text {
		ref.Text, ref.Locator = text, ""
	}
	uid := podGroup.FindStringSubmatch(group)
	switch {
	case facts.OfNode(group), uid == nil && strings.Contains(group, "kubepods"):
		return // its own signature reports it
	case uid == nil:
		p.Unknown(fmt.Sprintf("whether the task limit of %s concerns the node", group), "it is not a cgroup of pods, kubelet or runtime: the limit affects only its own processes",
			shell.Format("systemd-cgls {group}; cat /sys/fs/cgroup{group}/pids.max", group, group))
		return
	}
	claim := triage.Claim{
		Says: "pid-exhaustion", Subject: m.Subject, Certainty: triage.Likely, Severity: catalog.Warning, Key: group, Since: m.First,
		Evidence: []evidence.Ref{ref},
		Summary:  "a pod has reached its pids limit (" + group + "); the node has not",
	}
	id := strings.ReplaceAll(uid[1], "_", "-")
	for _, pod := range p.Snapshot.Pods() {
		if pod.UID == id {
			claim.Subject = pod.Subject()
			claim.Summary = fmt.Sprintf("pod %s has reached its pids limit; the node has not", pod.Key())
		}
	}
	p.Found(claim)
}
