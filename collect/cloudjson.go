package collect

import (
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/signatures"
)

// maxCloud bounds one document of a cloud, in bytes: it is held as a tree.
const maxCloud = 4 << 20

// addCloud adds the JSON of a cloud's tool, if it is one: something with a provisioning state, an activity,
// an instance view, an error body.
func (b *Builder) addCloud(name string, raw []byte) bool {
	if len(raw) > maxCloud || len(raw) == 0 || raw[0] != '{' {
		return false
	}
	tree, _ := decodeTree(string(raw)).(map[string]any)
	return cloudLike(tree, 0) && b.addCloudTree(name, tree, raw)
}

// addCloudTree adds what is known to be of a cloud.
func (b *Builder) addCloudTree(name string, tree map[string]any, raw []byte) bool {
	flat := flattenJSON(tree)
	if stateTypes[cloudType(tree)] {
		flat = &flatJSON{}
	}
	tallies, err := b.signatures.Scan(strings.NewReader(strings.Join(flat.lines, "\n")), signatures.Options{Kind: evidence.TextCloud})
	if err != nil {
		return false
	}
	if !b.room(2 * len(raw)) {
		return true
	}
	if b.texts != nil {
		b.texts.keep(keptText{Source: name, Form: formCloud}, raw)
	}
	source := strings.TrimSpace(name + " " + Bound(cloudName(tree), maxName))
	at := stamp(text(tree, "eventTimestamp"))
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, t := range tallies {
			m := match(t, source, evidence.TextCloud, cloudSubject(tree))
			m.Ref.Locator = flat.paths[t.Line-1]
			m.Ref.ObservedAt = at
			d.Matches = append(d.Matches, m)
		}
		addCloudValues(d, tree, name, at)
	})
	return true
}

// resourceIDs are the parts of Azure's resource ids that name a pool or an instance of one.
var resourceIDs = lazyregexp.New(`(?i)/managedClusters/[^/]+/agentPools/([^/]+)|/virtualMachineScaleSets/(aks-([a-z0-9]+)-\d+-vmss)(?:/virtualMachines/(\d+))?`)

func cloudSubject(tree map[string]any) evidence.Subject {
	if m := resourceIDs.FindStringSubmatch(text(tree, "resourceId")); m != nil { // of an activity
		switch {
		case m[1] != "":
			return evidence.Subject{Kind: "Pool", Name: Bound(m[1], maxName)}
		case m[4] != "":
			return evidence.NodeSubject(scaleSetHost(m[2], m[4]))
		}
		return evidence.Subject{Kind: "Pool", Name: Bound(m[3], maxName)}
	}
	switch cloudType(tree) {
	case "pool":
		return evidence.Subject{Kind: "Pool", Name: Bound(text(tree, "name"), maxName)}
	case "cluster":
		return evidence.ClusterSubject()
	case "instance":
		if host := instanceHost(tree); host != "" {
			return evidence.NodeSubject(host)
		}
	}
	return evidence.Subject{}
}

// instanceHost is the host name of an instance, which is the node's. An instance of a scale set that does not say
// it is named after the set and its number to the base of 36, with six digits (the naming of Azure scale sets).
func instanceHost(tree map[string]any) string {
	if host := text(tree, "computerName", "instanceView.computerName", "properties.instanceView.computerName", "osProfile.computerName", "properties.osProfile.computerName"); host != "" {
		return Bound(strings.ToLower(host), maxName)
	}
	if set, number, found := strings.Cut(text(tree, "name"), "_"); found {
		return scaleSetHost(set, number)
	}
	return ""
}

func scaleSetHost(set, number string) string {
	n, err := strconv.ParseUint(number, 10, 30)
	if err != nil {
		return ""
	}
	digits := strconv.FormatUint(n, 36) // never more than six: n has 30 bits
	return Bound(strings.ToLower(set), maxName) + strings.Repeat("0", 6-len(digits)) + digits
}

func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
