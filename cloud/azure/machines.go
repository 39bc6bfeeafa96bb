package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// set is what of a scale set leads further.
type set struct {
	Name string            `json:"name"`
	Tags map[string]string `json:"tags"`
	SKU  struct {
		Capacity int `json:"capacity"`
	} `json:"sku"`
}

// machines reads the scale sets of the group and the machines behind the nodes.
func (s *survey) machines(ctx context.Context, group string, machines []machine) {
	compute := group + "/providers/Microsoft.Compute/"
	of := map[string][]string{}
	var single []string
	for _, m := range machines {
		if m.set == "" {
			single = append(single, m.name)
		} else {
			of[strings.ToLower(m.set)] = append(of[strings.ToLower(m.set)], m.instance)
		}
	}
	err := s.list(ctx, s.address(compute+"virtualMachineScaleSets", computeVersion), func(page []byte) {
		s.hand("scale sets", page)
		var list struct {
			Value []set `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // what does not fit leads nowhere
		for _, x := range list.Value {  // one whose machines are no nodes is looked at too
			if name := strings.ToLower(x.Name); s.about.Whole && x.SKU.Capacity > 0 && of[name] == nil && !unsafe(name) && ofPool(x.Tags) {
				of[name] = []string{}
			}
		}
	})
	if err != nil {
		s.unread("scale sets", err)
	}
	sets := slices.Sorted(maps.Keys(of))
	if len(sets) > maxSets {
		s.gap(evidence.Gap{What: "instances of " + strings.Join(sets[maxSets:], ", ") + " in azure", Why: "too many scale sets for one diagnosis", How: "name a node"})
		sets = sets[:maxSets]
	}
	for _, name := range sets {
		s.scaleSet(ctx, compute+"virtualMachineScaleSets/"+name, of[name])
	}
	s.singles(ctx, compute, single)
}

func ofPool(tags map[string]string) bool {
	for k := range tags {
		if strings.EqualFold(k, "aks-managed-poolName") {
			return true
		}
	}
	return false
}

// scaleSet reads the view of a scale set and its instances: all in one list, or one by one where they are few, so
// that the cost of one node does not depend on the size of its pool. Of a big set only those are read whose nodes are
// not Ready: a list of thousands has a hundred pages.
func (s *survey) scaleSet(ctx context.Context, id string, instances []string) {
	name := id[strings.LastIndexByte(id, '/')+1:]
	s.one(ctx, "scale set "+name, id+"/instanceView", computeVersion, nil)
	list := func() {
		s.all(ctx, "instances of "+name, s.address(id+"/virtualMachines", computeVersion, "$expand", "instanceView"))
	}
	switch {
	case s.about.Whole && len(instances) <= maxListed || !s.about.Whole && len(instances) > maxSingle && len(instances) <= maxListed:
		list()
		return
	case len(instances) > maxListed:
		total := len(instances)
		instances = slices.DeleteFunc(instances, func(i string) bool { return !s.isSick(id + "/virtualMachines/" + i) })
		if left := max(0, maxSick-s.sick); len(instances) > left {
			instances = instances[:left]
		}
		s.sick += len(instances)
		s.gap(evidence.Gap{What: fmt.Sprintf("%d of %d machines of %s in azure", total-len(instances), total, name), Why: "they are too many for one diagnosis: only some whose nodes are not Ready were looked at",
			How: "name a node, or save az vmss list-instances --expand instanceView as a file"})
	}
	for _, instance := range instances {
		body, err := s.get(ctx, s.address(id+"/virtualMachines/"+instance, computeVersion, "$expand", "instanceView"))
		if errors.Is(err, errGone) && len(instances) <= maxSingle { // what is there instead tells that it is gone
			list()
			break
		}
		if err != nil {
			s.unread("instance "+instance+" of "+name, err)
			continue
		}
		s.hand("instance", body)
	}
}

func (s *survey) isSick(id string) bool {
	return slices.ContainsFunc(s.about.Sick, func(sick string) bool { return strings.EqualFold(strings.TrimPrefix(sick, "azure://"), id) })
}

// singles reads machines that belong to no scale set: few one by one, many by a list that has no views, and those whose
// nodes are not Ready.
func (s *survey) singles(ctx context.Context, compute string, names []string) {
	slices.Sort(names)
	if len(names) > maxSingle {
		s.all(ctx, "machines", s.address(compute+"virtualMachines", computeVersion))
		names = slices.DeleteFunc(names, func(n string) bool { return !s.isSick(compute + "virtualMachines/" + n) })
		names = names[:min(len(names), max(0, maxSick-s.sick))]
		s.sick += len(names)
	}
	for _, name := range names {
		s.one(ctx, "machine", compute+"virtualMachines/"+name, computeVersion, nil, "$expand", "instanceView")
	}
}
