package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const rightsVersion = "2022-04-01"

// Inspect reads the state of a cluster, pool or machine, and what may block a change: about ten requests, regardless of
// the cluster size.
func (r *Reader) Inspect(ctx context.Context, about cloud.About) (*cloud.Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m, ok := parseMachine(about.ProviderID)
	if !ok {
		return nil, fmt.Errorf("find the cluster of provider ID %q: it is not an Azure ID", cut(about.ProviderID))
	}
	if r.subscription != "" && !strings.EqualFold(r.subscription, m.subscription) {
		return nil, fmt.Errorf("find the cluster of provider ID %q: it is in another subscription than %s", cut(about.ProviderID), cut(r.subscription))
	}
	i := &inspection{client: client{arm: r.arm}, about: about, machine: m, st: &cloud.Standing{}}
	if err := i.units(ctx); err != nil {
		return nil, err
	}
	if err := i.choose(ctx); err != nil {
		return nil, err
	}
	if i.ofMachine() {
		i.denials(ctx)
	}
	i.subscription(ctx)
	i.locks(ctx)
	i.rights(ctx)
	return i.st, nil
}

// inspection is one call of Inspect.
type inspection struct {
	client
	about   cloud.About
	machine machine
	nodes   string            // ID of the node resource group
	pools   []json.RawMessage // raw JSON, in the order of st.Pools
	st      *cloud.Standing
}

func (i *inspection) gap(what string, err error, how shell.Text) {
	i.st.Gaps = append(i.st.Gaps, evidence.Gap{What: what, Why: err.Error(), How: how})
}

func (i *inspection) read(ctx context.Context, id, version string, into any, query ...string) error {
	body, err := i.get(ctx, i.address(id, version, query...))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("unexpected response: %w", err)
	}
	return nil
}

// units reads the cluster and all its pools.
func (i *inspection) units(ctx context.Context) error {
	i.nodes = "/subscriptions/" + i.machine.subscription + "/resourceGroups/" + i.machine.group
	var group struct {
		ManagedBy string `json:"managedBy"`
	}
	if err := i.read(ctx, i.nodes, groupVersion, &group); err != nil {
		return fmt.Errorf("read the node resource group %s: %w", i.nodes, err)
	}
	t, ok := parseTarget(group.ManagedBy)
	if !ok || t.pool != "" || t.cluster == "" {
		return fmt.Errorf("find the cluster of resource group %s: no managed cluster manages it", i.nodes)
	}
	var c answeredUnit
	if err := i.read(ctx, t.id, aksVersion, &c); err != nil {
		return fmt.Errorf("read cluster %s: %w", t.id, err)
	}
	c.ID, i.st.Lockdown = t.id, evidence.Known(strings.EqualFold(c.Properties.Profile.Restriction, "ReadOnly"))
	i.st.Cluster = c.unit(t.cluster)
	err := i.list(ctx, i.address(t.id+"/agentPools", aksVersion), maxPages, func(page []byte) {
		var list struct {
			Value []json.RawMessage `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // get validated the JSON; unexpected fields have no state, which fails closed
		for _, raw := range list.Value {
			var p answeredUnit
			_ = json.Unmarshal(raw, &p)
			i.pools = append(i.pools, raw)
			p.ID = t.id + "/agentPools/" + p.Name
			i.st.Pools = append(i.st.Pools, p.unit(p.Name))
		}
	})
	if err != nil {
		i.gap("pools of "+t.id, err, "grant the Reader role on the cluster")
	}
	return nil
}

// choose selects the target of the change.
func (i *inspection) choose(ctx context.Context) error {
	c := cloud.Change{Verb: i.about.Verb, Target: i.st.Cluster.ID, Count: i.about.Count, Own: i.about.Own, Version: i.st.Cluster.Version}
	if i.about.Pool != "" {
		k := slices.IndexFunc(i.st.Pools, func(u cloud.Unit) bool { return u.Name == i.about.Pool })
		switch {
		case i.about.Verb == cloud.AddPool && k >= 0:
			return fmt.Errorf("pool %q already exists in the cluster", i.about.Pool)
		case i.about.Verb == cloud.AddPool:
			like := slices.IndexFunc(i.st.Pools, func(u cloud.Unit) bool { return u.Name == i.about.Like })
			if like < 0 {
				return i.noPool(i.about.Like)
			}
			i.st.Pool = &i.st.Pools[like]
			c.Target, c.Like, c.Version = i.st.Cluster.ID+"/agentPools/"+i.about.Pool, i.st.Pool.ID, ""
		case k >= 0:
			i.st.Pool = &i.st.Pools[k]
			c.Target, c.Version = i.st.Pool.ID, i.st.Pool.Version
		case !i.ofMachine():
			return i.noPool(i.about.Pool)
		}
	}
	if i.about.Node != "" {
		if err := i.oneMachine(ctx); err != nil {
			return err
		}
		if i.about.Verb == cloud.DeleteMachine {
			c.Machine = i.st.Machine.Name
		} else {
			c.Target, c.Version = i.st.Machine.ID, i.st.Machine.Version
		}
	}
	i.capacities(ctx)
	r, err := requestOf(c)
	if err != nil {
		return err
	}
	i.st.Change, i.st.Requested = c, r.shown(c)
	if c.Verb == cloud.AddPool {
		return i.byHand(c)
	}
	return nil
}

// byHand sets the command that adds the same pool.
func (i *inspection) byHand(c cloud.Change) (err error) {
	t, _ := parseTarget(c.Target)
	like := slices.IndexFunc(i.st.Pools, func(u cloud.Unit) bool { return u.ID == c.Like })
	r := &i.st.Requested
	r.Command, r.Missing, err = t.addLike(c, i.pools[like])
	return err
}

// ofMachine reports whether the change bypasses AKS and targets a machine.
func (i *inspection) ofMachine() bool {
	return slices.Contains([]cloud.Verb{cloud.Refresh, cloud.Reimage, cloud.Restart, cloud.Redeploy, cloud.Start}, i.about.Verb)
}

// noPool returns an error for a missing pool, but only if all pools were read.
func (i *inspection) noPool(name string) error {
	if len(i.st.Gaps) > 0 {
		return fmt.Errorf("find pool %s: the pools could not be read: %s", name, i.st.Gaps[0].Why)
	}
	names := "none"
	for k, p := range i.st.Pools {
		if names += ", " + p.Name; k == 0 {
			names = p.Name
		}
	}
	return fmt.Errorf("find pool %s: %w; the cluster has %s", name, cloud.ErrMissing, names)
}

// oneMachine reads the machine of the node.
func (i *inspection) oneMachine(ctx context.Context) error {
	id := i.nodes + "/providers/Microsoft.Compute/"
	if i.machine.set != "" {
		id += "virtualMachineScaleSets/" + i.machine.set + "/virtualMachines/" + i.machine.instance
	} else {
		id += "virtualMachines/" + i.machine.name
	}
	var vm virtual
	if err := i.read(ctx, id, computeVersion, &vm, "$expand", "instanceView"); err != nil {
		if errors.Is(err, errGone) {
			return fmt.Errorf("the VM of node %s no longer exists (%w); delete the node: %s", i.about.Node, err, shell.Format("kubectl delete node {node}", i.about.Node))
		}
		return fmt.Errorf("read VM %s of node %s: %w", id, i.about.Node, err)
	}
	i.st.Machine = vm.machine(id)
	if i.st.Machine.Name == "" {
		i.st.Machine.Name = i.about.Node
	}
	if i.st.Pool != nil && i.st.Pool.Spot { // a scale set instance does not have this field
		i.st.Machine.Spot = true
	}
	return nil
}

// capacities reads the number of machines in the scale sets of the pools.
func (i *inspection) capacities(ctx context.Context) {
	has := map[string]int{}
	err := i.list(ctx, i.address(i.nodes+"/providers/Microsoft.Compute/virtualMachineScaleSets", computeVersion), maxPages, func(page []byte) {
		var list struct {
			Value []struct {
				Tags map[string]string `json:"tags"`
				Sku  struct {
					Capacity *int `json:"capacity"`
				} `json:"sku"`
			} `json:"value"`
		}
		if json.Unmarshal(page, &list) != nil {
			return
		}
		for _, set := range list.Value {
			for tag, pool := range set.Tags {
				if strings.EqualFold(tag, "aks-managed-poolName") && set.Sku.Capacity != nil {
					has[pool] += *set.Sku.Capacity
				}
			}
		}
	})
	if err != nil {
		i.gap("the VM counts of the pools", err, "grant the Reader role on the node resource group")
	}
	for k := range i.st.Pools {
		i.st.Pools[k].Capacity = -1
		if n, known := has[i.st.Pools[k].Name]; known {
			i.st.Pools[k].Capacity = n
		}
	}
}

func (i *inspection) subscription(ctx context.Context) {
	var s struct {
		State string `json:"state"`
	}
	if err := i.read(ctx, "/subscriptions/"+i.machine.subscription, subscriptionVersion, &s); err != nil {
		i.gap("the state of the subscription", err, "grant Microsoft.Resources/subscriptions/read")
	}
	i.st.Subscription = s.State
}

// denials reads the deny assignments of the node resource group, which include the node resource group lockdown.
func (i *inspection) denials(ctx context.Context) {
	err := i.list(ctx, i.address(i.nodes+"/providers/Microsoft.Authorization/denyAssignments", rightsVersion), maxPages, func(page []byte) {
		var list struct {
			Value []struct {
				Properties struct {
					Name        string       `json:"denyAssignmentName"`
					Permissions []permission `json:"permissions"`
				} `json:"properties"`
			} `json:"value"`
		}
		_ = json.Unmarshal(page, &list)
		for _, d := range list.Value {
			if slices.ContainsFunc(d.Properties.Permissions, func(p permission) bool { return p.holds(i.st.Requested.Right) }) {
				i.st.Denials = append(i.st.Denials, d.Properties.Name)
			}
		}
	})
	if err != nil {
		i.gap("deny assignments on the VMs", err, "grant Microsoft.Authorization/denyAssignments/read")
	}
}

// locks reads the locks on the target of a change, including locks on single resources of the node resource group,
// which block AKS.
func (i *inspection) locks(ctx context.Context) {
	err := i.client.locks(ctx, "/subscriptions/"+i.machine.subscription, maxPages,
		func(scope string) bool { return touches(scope, i.st.Cluster.ID, i.nodes, nil) },
		func(scope, level string, _ json.RawMessage) {
			i.st.Locks = append(i.st.Locks, cloud.Lock{Level: level, Scope: scope})
		})
	i.st.LocksRead = err == nil
	if err != nil {
		i.gap("locks", err, "grant Microsoft.Authorization/locks/read on the subscription")
	}
}

// rights reads whether the caller has the permission.
func (i *inspection) rights(ctx context.Context) {
	scope := groupOf(i.st.Change.Target)
	var granted, read bool
	err := i.list(ctx, i.address(scope+"/providers/Microsoft.Authorization/permissions", rightsVersion), maxPages, func(page []byte) {
		var list struct {
			Value []permission `json:"value"`
		}
		_ = json.Unmarshal(page, &list)
		for _, p := range list.Value {
			read = true
			granted = granted || p.holds(i.st.Requested.Right)
		}
	})
	switch {
	case err != nil:
		i.gap("your permissions", err, "the cloud checks them when it runs")
	case read:
		i.st.Granted = evidence.Known(granted)
	}
}

// permission is a set of allowed or denied actions.
type permission struct {
	Actions    []string `json:"actions"`
	NotActions []string `json:"notActions"`
}

func (p permission) holds(right string) bool {
	match := func(pattern string) bool { return matches(strings.ToLower(pattern), strings.ToLower(right)) }
	return slices.ContainsFunc(p.Actions, match) && !slices.ContainsFunc(p.NotActions, match)
}

// matches compares an action with a pattern. A star matches any text.
func matches(pattern, right string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == right
	}
	if !strings.HasPrefix(right, parts[0]) {
		return false
	}
	right = right[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(right, part)
		if at < 0 {
			return false
		}
		right = right[at+len(part):]
	}
	return strings.HasSuffix(right, parts[len(parts)-1])
}

// answeredUnit is a cluster or pool in the API format.
type answeredUnit struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	ETag       string `json:"eTag"`
	Properties struct {
		Provisioning string `json:"provisioningState"`
		Power        struct {
			Code string `json:"code"`
		} `json:"powerState"`
		Status struct {
			Error struct {
				Code string `json:"code"`
			} `json:"provisioningError"`
		} `json:"status"`
		Profile struct {
			Restriction string `json:"restrictionLevel"`
		} `json:"nodeResourceGroupProfile"`
		ETag        string `json:"eTag"`
		Mode        string `json:"mode"`
		Autoscaling bool   `json:"enableAutoScaling"`
		Priority    string `json:"scaleSetPriority"`
		Count       *int   `json:"count"`
		Wanted      string `json:"orchestratorVersion"`
		Has         string `json:"currentOrchestratorVersion"`
		Upgrade     struct {
			Drain int `json:"drainTimeoutInMinutes"`
		} `json:"upgradeSettings"`
	} `json:"properties"`
}

func (m *answeredUnit) version() string {
	if m.ETag != "" {
		return m.ETag
	}
	return m.Properties.ETag
}

func (m *answeredUnit) unit(name string) cloud.Unit {
	p := &m.Properties
	u := cloud.Unit{
		Name: name, ID: m.ID, Provisioning: p.Provisioning, Power: p.Power.Code, Version: m.version(), Error: p.Status.Error.Code,
		Mode: p.Mode, Spot: strings.EqualFold(p.Priority, "Spot"), Autoscaling: p.Autoscaling, Count: -1, Capacity: -1, DrainMinutes: p.Upgrade.Drain,
		// The requested version may omit the patch: 1.33 matches 1.33.3.
		Pending: p.Has != "" && p.Wanted != p.Has && !strings.HasPrefix(p.Has, p.Wanted+"."),
	}
	if p.Count != nil {
		u.Count = *p.Count
	}
	return u
}

// virtual is a machine in the API format.
type virtual struct {
	Name       string `json:"name"`
	Properties struct {
		Provisioning string    `json:"provisioningState"`
		Latest       *bool     `json:"latestModelApplied"`
		Created      time.Time `json:"timeCreated"`
		Priority     string    `json:"priority"`
		Profile      struct {
			Computer string `json:"computerName"`
		} `json:"osProfile"`
		Protection struct {
			Actions bool `json:"protectFromScaleSetActions"`
		} `json:"protectionPolicy"`
		View struct {
			Statuses []struct {
				Code string `json:"code"`
			} `json:"statuses"`
		} `json:"instanceView"`
	} `json:"properties"`
}

func (v *virtual) machine(id string) *cloud.Machine {
	p := &v.Properties
	m := &cloud.Machine{
		Name: strings.ToLower(p.Profile.Computer), ID: id, Provisioning: p.Provisioning, Protected: evidence.Known(p.Protection.Actions),
		Spot: strings.EqualFold(p.Priority, "Spot"), Version: v.version(),
	}
	if t, ok := parseTarget(id); ok {
		m.Instance = t.instance
	}
	if p.Latest != nil {
		m.Latest = evidence.Known(*p.Latest)
	}
	for _, s := range p.View.Statuses {
		if kind, state, ok := strings.Cut(s.Code, "/"); ok && strings.EqualFold(kind, "PowerState") {
			m.Power = strings.ToLower(state)
		}
	}
	return m
}

// version returns a fingerprint of the state of a machine because it has no ETag.
func (v *virtual) version() string {
	return v.Properties.Provisioning + " " + v.Properties.Created.UTC().Format(time.RFC3339)
}
