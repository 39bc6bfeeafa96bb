package azure

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Machine is the new state of a VM. The code that simulates the cluster updates the node.
type Machine struct {
	Host, ProviderID, Pool string
	Event                  string // running, deleted
	Image                  string // the new one; empty: unchanged
}

// OnMachine registers a function that gets every change of a VM, in a goroutine of the emulator.
func (e *Emulator) OnMachine(tell func(Machine)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.machines = tell
}

// stamp adds the eTag to clusters and pools, as their API does.
func (e *Emulator) stamp() {
	for id, r := range e.resources {
		if strings.Contains(id, "/managedclusters/") && r["eTag"] == nil && strings.Count(id, "/") <= 10 {
			e.tag(r)
		}
	}
}

func (e *Emulator) tag(r map[string]any) {
	n, _ := strconv.Atoi(strings.TrimPrefix(fmt.Sprint(r["eTag"]), "tag-"))
	r["eTag"] = fmt.Sprintf("tag-%d", n+1)
}

// changing is a change of one resource.
type changing struct {
	e              *Emulator
	id             string
	method, action string
	found, body    map[string]any
	isNew          bool

	instances []string // affected instances of a scale set or pool
}

// target is the resource whose state shows the progress of the change.
func (c *changing) target() string {
	if c.action == "manualupgrade" && len(c.instances) > 0 {
		return c.instances[0]
	}
	return c.id
}

// begin validates the change as the API does, and shows that it is in progress.
func (c *changing) begin(w http.ResponseWriter) bool {
	state := "Updating"
	switch {
	case c.action == "manualupgrade":
		return c.beginUpgrade(w)
	case c.action == "deletemachines":
		if c.instances = c.machinesNamed(c.named("machineNames")); len(c.instances) == 0 {
			refuse(w, http.StatusBadRequest, "InvalidParameter", "no machine of that name")
			return false
		}
		state = "Deleting"
	case c.action == "abort":
		state = "Canceling"
	case c.method == http.MethodDelete:
		state = "Deleting"
	case c.method == http.MethodPut && c.isNew:
		state = "Creating"
	}
	if c.method == http.MethodPut {
		c.put()
	}
	properties(c.found)["provisioningState"] = state
	return true
}

// named returns the names in a list of the body.
func (c *changing) named(key string) []string {
	list, _ := c.body[key].([]any)
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// beginUpgrade starts the upgrade of the named instances.
func (c *changing) beginUpgrade(w http.ResponseWriter) bool {
	ids := c.named("instanceIds")
	if len(ids) == 0 || slices.Contains(ids, "*") {
		refuse(w, http.StatusBadRequest, "InvalidParameter", "the emulator does not change all instances at once")
		return false
	}
	for _, i := range ids {
		c.instances = append(c.instances, c.id+"/virtualmachines/"+i)
	}
	for _, id := range c.instances {
		if c.e.resources[id] == nil {
			refuse(w, http.StatusBadRequest, "InvalidParameter", "there is no instance "+id)
			return false
		}
		properties(c.e.resources[id])["provisioningState"] = "Updating"
	}
	return true
}

// machinesNamed returns the machines of these hosts.
func (c *changing) machinesNamed(hosts []string) (out []string) {
	for _, host := range hosts {
		for id, r := range c.e.resources {
			if strings.EqualFold(hostOf(id, r), host) {
				out = append(out, id)
			}
		}
	}
	return out
}

// put stores the properties of the request body, except those that only Azure sets.
func (c *changing) put() {
	wanted, _ := c.body["properties"].(map[string]any)
	p := properties(c.found)
	for k, v := range copyOf(wanted) {
		if k != "provisioningState" && k != "status" && k != "count" {
			p[k] = v
		}
	}
	c.e.tag(c.found)
}

// pool returns the last part of the ID, which is the name of the pool in changes of pools.
func (c *changing) pool() string { return c.id[strings.LastIndexByte(c.id, '/')+1:] }

// end completes the change.
func (c *changing) end() {
	p := properties(c.found)
	switch {
	case c.method == http.MethodDelete:
		c.endDelete()
		return
	case c.action == "abort":
		c.endAbort()
		p["provisioningState"] = "Canceled"
		return
	case c.action == "manualupgrade":
		for _, id := range c.instances {
			c.e.heal(id, true, "")
		}
		return
	case c.action == "upgradenodeimageversion":
		c.endImage(p)
	case c.action == "deletemachines":
		for _, id := range c.instances {
			c.e.remove(id, c.pool())
			count, _ := number(p["count"])
			p["count"] = count - 1
		}
	case c.action != "":
		c.e.heal(c.id, false, "")
		return
	case c.method == http.MethodPut && strings.Contains(c.id, "/agentpools/"):
		c.endPool(p)
	}
	p["provisioningState"] = "Succeeded"
	delete(p, "status")
	c.e.tag(c.found)
}

// endDelete removes a pool with its machines and its other resources, or another resource.
func (c *changing) endDelete() {
	for _, id := range c.e.instancesOf(c.pool()) {
		c.e.remove(id, c.pool())
	}
	for id, r := range c.e.resources {
		if tags, ok := r["tags"].(map[string]any); ok && tags["aks-managed-poolName"] == c.pool() {
			delete(c.e.resources, id)
		}
	}
	delete(c.e.resources, c.id)
}

// endAbort ends the operations of the resource without a result.
func (c *changing) endAbort() {
	for _, o := range c.e.operations {
		if o.target != c.id {
			continue
		}
		o.left = -1
		if o.done == nil {
			o.done = map[string]any{"status": "Canceled"}
		}
	}
}

// endImage gives all machines of the pool the newest image.
func (c *changing) endImage(p map[string]any) {
	if latest := properties(c.e.resources[c.id+"/upgradeprofiles/default"])["latestNodeImageVersion"]; latest != nil {
		p["nodeImageVersion"] = latest
	}
	for _, id := range c.e.instancesOf(c.pool()) {
		c.e.heal(id, true, "")
		r := c.e.resources[id]
		c.e.tell(Machine{Host: hostOf(id, r), ProviderID: "azure://" + fmt.Sprint(r["id"]), Event: "works", Image: fmt.Sprint(p["nodeImageVersion"])})
	}
}

// endPool gives the pool as many machines as were asked for.
func (c *changing) endPool(p map[string]any) {
	wanted, _ := c.body["properties"].(map[string]any)
	if count, ok := number(wanted["count"]); ok {
		c.e.scale(c.pool(), count)
		p["count"] = count
	}
	p["powerState"] = map[string]any{"code": "Running"}
}

// fail sets the state of the target to Failed.
func (c *changing) fail(code string) {
	for _, id := range append(c.instances, c.id) {
		if r := c.e.resources[id]; r != nil && (c.action != "manualupgrade" || id != c.id) {
			properties(r)["provisioningState"] = "Failed"
			if strings.Contains(id, "/managedclusters/") {
				properties(r)["status"] = map[string]any{"provisioningError": map[string]any{"code": code, "message": code}}
			}
		}
	}
}

// heal makes a VM work, with its latest model if requested. A new VM belongs to its pool.
func (e *Emulator) heal(id string, model bool, pool string) {
	r := e.resources[id]
	p := properties(r)
	p["provisioningState"] = "Succeeded"
	if model {
		p["latestModelApplied"] = true
	}
	p["instanceView"] = map[string]any{
		"vmAgent":  map[string]any{"statuses": []any{map[string]any{"code": "ProvisioningState/succeeded", "displayStatus": "Ready"}}},
		"statuses": []any{map[string]any{"code": "ProvisioningState/succeeded"}, map[string]any{"code": "PowerState/running"}},
	}
	e.tell(Machine{Host: hostOf(id, r), ProviderID: "azure://" + fmt.Sprint(r["id"]), Pool: pool, Event: "works"})
}

// remove deletes a VM.
func (e *Emulator) remove(id, pool string) {
	e.tell(Machine{Host: hostOf(id, e.resources[id]), Pool: pool, Event: "gone"})
	delete(e.resources, id)
	if set := e.setOf(pool); set != nil {
		sku, _ := set["sku"].(map[string]any)
		if n, ok := number(sku["capacity"]); ok {
			sku["capacity"] = n - 1
		}
	}
}

// scale changes the count of a pool. The newest VMs are deleted first.
func (e *Emulator) scale(pool string, count int) {
	set := e.setOf(pool)
	if set == nil {
		id := e.group() + "/providers/Microsoft.Compute/virtualMachineScaleSets/aks-" + pool + "-12345678-vmss"
		set = map[string]any{"id": id, "name": "aks-" + pool + "-12345678-vmss", "sku": map[string]any{}, "tags": map[string]any{"aks-managed-poolName": pool}, "properties": map[string]any{"provisioningState": "Succeeded"}}
		e.resources[key(id)] = set
	}
	instances := e.instancesOf(pool)
	slices.Reverse(instances)
	for len(instances) > count {
		e.remove(instances[0], pool)
		instances = instances[1:]
	}
	for n := 0; len(instances) < count; n++ {
		id := fmt.Sprintf("%s/virtualMachines/%d", set["id"], n)
		if e.resources[key(id)] != nil {
			continue
		}
		host := fmt.Sprintf("%s%06s", set["name"], strconv.FormatInt(int64(n), 36))
		e.resources[key(id)] = map[string]any{"id": id, "name": fmt.Sprintf("%s_%d", set["name"], n), "instanceId": strconv.Itoa(n),
			"properties": map[string]any{"latestModelApplied": true, "osProfile": map[string]any{"computerName": host}}}
		instances = append(instances, key(id))
		e.heal(key(id), true, pool)
	}
	if sku, ok := set["sku"].(map[string]any); ok {
		sku["capacity"] = count
	}
}

// setOf returns the scale set of a pool, or nil.
func (e *Emulator) setOf(pool string) map[string]any {
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if tags, ok := e.resources[id]["tags"].(map[string]any); ok && tags["aks-managed-poolName"] == pool {
			return e.resources[id]
		}
	}
	return nil
}

func (e *Emulator) instancesOf(pool string) []string {
	set := e.setOf(pool)
	if set == nil {
		return nil
	}
	var out []string
	for _, id := range slices.Sorted(maps.Keys(e.resources)) {
		if strings.HasPrefix(id, key(fmt.Sprint(set["id"]))+"/virtualmachines/") && strings.Count(id, "/") == 10 {
			out = append(out, id)
		}
	}
	return out
}

// group returns the node resource group.
func (e *Emulator) group() string {
	for _, r := range e.resources {
		if r["managedBy"] != nil {
			return fmt.Sprint(r["id"])
		}
	}
	return ""
}

func (e *Emulator) tell(m Machine) {
	if e.machines != nil {
		e.machines(m)
	}
}

func hostOf(id string, r map[string]any) string {
	if !strings.Contains(id, "/virtualmachines/") {
		return ""
	}
	if profile, ok := properties(r)["osProfile"].(map[string]any); ok {
		return fmt.Sprint(profile["computerName"])
	}
	return fmt.Sprint(r["name"])
}

// number reads a number that comes from JSON or Go.
func number(v any) (int, bool) {
	switch n := v.(type) {
	case float64:
		return int(n), true
	case int:
		return n, true
	case int64:
		return int(n), true
	}
	return 0, false
}
