package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// set has the fields of a scale set that later queries need.
type set struct {
	Name string            `json:"name"`
	Tags map[string]string `json:"tags"`
	SKU  struct {
		Capacity int `json:"capacity"`
	} `json:"sku"`
	Properties struct {
		State string `json:"provisioningState"`
	} `json:"properties"`
}

// machines reads the scale sets of the group and the machines of the nodes, starting with NotReady nodes.
func (s *survey) machines(ctx context.Context, group string, c *managed, machines []machine) {
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
	well := map[string]bool{} // sets whose instance view is not needed
	err := s.list(ctx, s.address(compute+"virtualMachineScaleSets", computeVersion), fewPages, func(page []byte) {
		s.hand("scale sets", page)
		var list struct {
			Value []set `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // unexpected JSON yields no later queries
		for _, x := range list.Value {
			name, pool := strings.ToLower(x.Name), poolOf(x.Tags)
			well[name] = strings.EqualFold(x.Properties.State, "Succeeded") && c.succeeded(pool)
			// A set whose machines are not nodes is read too.
			unlisted := x.SKU.Capacity > 0 && pool != "" && of[name] == nil
			if s.about.Whole && unlisted && !unsafe(name) {
				of[name] = []string{}
			}
		}
	})
	if err != nil {
		s.unread("scale sets", err)
	}
	sick := map[string]bool{}
	for _, id := range s.about.Sick {
		if m, ok := parseMachine(id); ok {
			sick[strings.ToLower(m.set)] = true
		}
	}
	sets := slices.Sorted(maps.Keys(of))
	slices.SortStableFunc(sets, func(a, b string) int { return rank(sick[b], !well[b]) - rank(sick[a], !well[a]) })
	if len(sets) > maxSets {
		s.gap(evidence.Gap{What: "instances of " + strings.Join(sets[maxSets:], ", ") + " in azure", Why: "too many scale sets for one diagnosis", How: "name a node"})
		sets = sets[:maxSets]
	}
	for i, name := range sets { // reserve one request for each of the following sets
		s.scaleSet(ctx, compute+"virtualMachineScaleSets/"+name, of[name], well[name], s.left()-reserved-(len(sets)-i-1))
	}
	s.singles(ctx, compute, single)
}

// rank is higher for a set of more interest.
func rank(sick, failed bool) (r int) {
	if sick {
		r += 2
	}
	if failed {
		r++
	}
	return r
}

// poolOf returns the pool in the tags of a scale set.
func poolOf(tags map[string]string) string {
	for k, v := range tags {
		if strings.EqualFold(k, "aks-managed-poolName") {
			return v
		}
	}
	return ""
}

// scaleSet reads the instances of a scale set: as one list, or one by one if they are few. The cost of one node
// therefore does not depend on the pool size. If the budget of requests is too small, it reads only instances with
// NotReady nodes, and the instance view, which counts all instances by state. A healthy set with a list does not need
// the view.
func (s *survey) scaleSet(ctx context.Context, id string, instances []string, well bool, room int) {
	name := lastOf(id)
	need := max(1, (len(instances)+pageSize-1)/pageSize)
	if !well {
		need++
	}
	list := func() {
		s.most(ctx, "instances of "+name, max(1, room), s.address(id+"/virtualMachines", computeVersion, "$expand", "instanceView"))
	}
	few := !s.about.Whole && len(instances) <= maxSingle
	whole := !few && len(instances) <= maxListed && need <= room
	if !well || !few && !whole {
		s.view(ctx, id)
		room--
	}
	switch {
	case whole:
		list()
		return
	case !few:
		total := len(instances)
		instances = slices.DeleteFunc(instances, func(i string) bool { return !s.isSick(id + "/virtualMachines/" + i) })
		instances = instances[:min(len(instances), max(0, min(maxSick-s.sick, room)))]
		s.sick += len(instances)
		s.gap(evidence.Gap{What: fmt.Sprintf("%d of %d VMs of %s in azure", total-len(instances), total, name), Why: "too many for one diagnosis: only some VMs of NotReady nodes were read",
			How: shell.Format("name a node, or save the output of: az vmss list-instances --expand instanceView -g {group} -n {scale-set}", lastOf(groupOf(id)), name)})
	}
	for _, instance := range instances {
		body, err := s.get(ctx, s.address(id+"/virtualMachines/"+instance, computeVersion, "$expand", "instanceView"))
		if errors.Is(err, errGone) && len(instances) <= maxSingle { // list the current instances instead
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

// view reads the instance view of a scale set: the number of machines per state. The answer does not have the name of
// the set.
func (s *survey) view(ctx context.Context, id string) {
	what := "scale set " + lastOf(id)
	body, err := s.get(ctx, s.address(id+"/instanceView", computeVersion))
	if err != nil {
		s.unread(what+" "+id, err)
		return
	}
	var view map[string]json.RawMessage
	if json.Unmarshal(body, &view) == nil && view != nil {
		view["id"], view["name"] = json.RawMessage(strconv.Quote(id)), json.RawMessage(strconv.Quote(lastOf(id)))
		if named, err := json.Marshal(view); err == nil {
			body = named
		}
	}
	s.hand(what, body)
}

func (s *survey) isSick(id string) bool {
	return slices.ContainsFunc(s.about.Sick, func(sick string) bool { return strings.EqualFold(strings.TrimPrefix(sick, "azure://"), id) })
}

// singles reads standalone VMs: few one by one, many as a list without instance views, plus those with NotReady nodes.
func (s *survey) singles(ctx context.Context, compute string, names []string) {
	slices.Sort(names)
	if len(names) > maxSingle {
		s.most(ctx, "machines", max(1, s.left()-reserved-maxSick), s.address(compute+"virtualMachines", computeVersion))
		names = slices.DeleteFunc(names, func(n string) bool { return !s.isSick(compute + "virtualMachines/" + n) })
		names = names[:min(len(names), max(0, min(maxSick-s.sick, s.left()-reserved)))]
		s.sick += len(names)
	}
	for _, name := range names {
		s.one(ctx, "machine", compute+"virtualMachines/"+name, computeVersion, nil, "$expand", "instanceView")
	}
}
