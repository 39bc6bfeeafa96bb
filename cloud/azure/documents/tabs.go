package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Tab-separated lines have no header, and their columns depend on the version of az. Only unambiguous cells of complete
// pools or instances are read: ID, provisioning state, image and size.

const minTSV = 10 // cells of a complete pool or instance; fewer mean a --query

var (
	tsvImage = lazyregexp.New(`^AKS[A-Za-z0-9]+-[A-Za-z0-9.-]+-\d{6}\.\d{1,2}\.\d{1,3}$`)
	tsvSize  = lazyregexp.New(`^Standard_[A-Z]+[0-9]+[A-Za-z0-9_-]*$`)
)

// tsvTypes are the resource types that are read from tab-separated lines.
var tsvTypes = map[string]bool{"microsoft.containerservice/managedclusters/agentpools": true, "microsoft.compute/virtualmachinescalesets/virtualmachines": true}

// tsvRow reads a line of -o tsv; nil if a required cell is missing or ambiguous.
func tsvRow(line string) map[string]any {
	cells := strings.Split(line, "\t")
	if len(cells) < minTSV {
		return nil
	}
	only := func(fits func(string) bool) string {
		i := slices.IndexFunc(cells, fits)
		if i < 0 || slices.ContainsFunc(cells[i+1:], fits) {
			return ""
		}
		return cells[i]
	}
	id := only(func(c string) bool { return strings.HasPrefix(c, "/subscriptions/") && tsvTypes[typeOfID(c)] })
	state := only(func(c string) bool { return c == "Succeeded" || c == "Failed" || c == "Canceled" })
	if id == "" || state == "" {
		return nil
	}
	tree := map[string]any{"id": id, "name": id[strings.LastIndexByte(id, '/')+1:], "provisioningState": state}
	if set := partOfID(id, "virtualMachineScaleSets"); set != "" {
		tree["instanceId"] = tree["name"]
		tree["name"] = set + "_" + partOfID(id, "virtualMachines")
		return tree
	}
	if image := only(tsvImage.MatchString); image != "" {
		tree["nodeImageVersion"] = image
	}
	if size := only(tsvSize.MatchString); size != "" {
		tree["vmSize"] = size
	}
	return tree
}
