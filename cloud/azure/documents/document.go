package documents

import (
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	maxName     = 500     // bytes of a name
	maxEvidence = 1000    // bytes of a quoted text
	maxCloud    = 4 << 20 // bytes of one document
)

// Decoder decodes answers of Azure Resource Manager and output of az.
type Decoder struct{}

// Knows reports whether an object is an answer of Azure Resource Manager. It has a provisioning state, an activity, an
// instance view or an error body.
func (Decoder) Knows(object map[string]any) bool {
	return cloudLike(object, 0) || text(object, commandKey) != "" || object[saidKey] != nil
}

// Decode decodes an answer of Azure Resource Manager.
func (Decoder) Decode(object map[string]any, source string) cloud.Decoded {
	if command := text(object, commandKey); command != "" {
		return cloud.Decoded{Names: namesGiven(command)}
	}
	if said := namesOfWords(object); said != nil {
		return cloud.Decoded{Names: said}
	}
	flat := &flatJSON{}
	if !stateTypes[cloudType(object)] && text(object, told) == "" {
		flat = flattenJSON(object)
	}
	d := cloud.Decoded{Name: cloudName(object), At: stamp(text(object, "eventTimestamp")), Subject: cloudSubject(object), Lines: flat.lines, Paths: flat.paths, Names: names(object)}
	addCloudValues(&d, object, source)
	return d
}

// resourceIDs matches the parts of a resource ID with the name of a pool or of an instance.
var resourceIDs = lazyregexp.New(`(?i)/managedClusters/[^/]+/agentPools/([^/]+)|/virtualMachineScaleSets/(aks-([a-z0-9]+)-\d+-vmss)(?:/virtualMachines/(\d+))?`)

func cloudSubject(tree map[string]any) evidence.Subject {
	if m := resourceIDs.FindStringSubmatch(text(tree, "resourceId")); m != nil { // of an activity
		switch {
		case m[1] != "":
			return evidence.Subject{Kind: "Pool", Name: wording.Cut(m[1], maxName)}
		case m[4] != "":
			return evidence.NodeSubject(scaleSetHost(m[2], m[4]))
		}
		return evidence.Subject{Kind: "Pool", Name: wording.Cut(m[3], maxName)}
	}
	switch cloudType(tree) {
	case "pool":
		return evidence.Subject{Kind: "Pool", Name: wording.Cut(text(tree, "name"), maxName)}
	case "scale-set":
		if pool := poolOfSet(text(tree, "name")); pool != "" {
			return evidence.Subject{Kind: "Pool", Name: wording.Cut(pool, maxName)}
		}
	case "cluster":
		return evidence.ClusterSubject()
	case "instance":
		if host := instanceHost(tree); host != "" {
			return evidence.NodeSubject(host)
		}
	}
	return evidence.Subject{}
}

// instanceHost returns the host name of an instance, which is the node name. Without a host name, a scale set instance
// has the name of the set plus its number in base 36 with six digits (the naming of Azure scale sets).
func instanceHost(tree map[string]any) string {
	if host := text(tree, "computerName", "instanceView.computerName", "properties.instanceView.computerName", "osProfile.computerName", "properties.osProfile.computerName"); host != "" {
		return wording.Cut(strings.ToLower(host), maxName)
	}
	name := text(tree, "name")
	if set, number, found := strings.Cut(name, "_"); found {
		return scaleSetHost(set, number)
	}
	if ofService(name) { // a standalone VM has the name of its node
		return wording.Cut(strings.ToLower(name), maxName)
	}
	return ""
}

// ofService reports whether AKS named the machine, so it is a cluster node.
func ofService(machine string) bool {
	_, is := cutFold(machine, "aks")
	return is
}

func scaleSetHost(set, number string) string {
	n, err := strconv.ParseUint(number, 10, 30)
	if err != nil {
		return ""
	}
	digits := strconv.FormatUint(n, 36) // at most six: n has 30 bits
	return wording.Cut(strings.ToLower(set), maxName) + strings.Repeat("0", 6-len(digits)) + digits
}

func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
