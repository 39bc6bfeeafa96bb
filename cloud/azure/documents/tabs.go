package documents

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Lines with tabs have no names of columns, and which columns there are changes with az. Of a pool or an instance as a whole
// only those cells are read that can be nothing else: its own id, how its last change ended, its image and its size.

const minTSV = 10 // cells of a whole pool or instance; fewer were chosen with --query

var (
	tsvImage = lazyregexp.New(`^AKS[A-Za-z0-9]+-[A-Za-z0-9.-]+-\d{6}\.\d{1,2}\.\d{1,3}$`)
	tsvSize  = lazyregexp.New(`^Standard_[A-Z]+[0-9]+[A-Za-z0-9_-]*$`)
)

// tsvTypes are the resources of which lines with tabs are read.
var tsvTypes = map[string]bool{"microsoft.containerservice/managedclusters/agentpools": true, "microsoft.compute/virtualmachinescalesets/virtualmachines": true}

// tsvRow reads a line that az printed with -o tsv; nil where a cell that decides is missing or there twice.
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
