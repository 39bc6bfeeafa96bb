package azure

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// request is the HTTP request of a change.
type request struct {
	method, id, action string     // the action is the last part of a POST path
	version            string     // API version
	body               any        // nil: none, or that of the target
	right              string     // required permission
	command            shell.Text // equivalent az command
}

const (
	poolRight    = "Microsoft.ContainerService/managedClusters/agentPools/"
	clusterRight = "Microsoft.ContainerService/managedClusters/"
	setRight     = "Microsoft.Compute/virtualMachineScaleSets/"
	machineRight = "Microsoft.Compute/virtualMachines/"
)

// requestOf returns the request for a change. It returns an error for a change that affects more than one machine.
func requestOf(c cloud.Change) (request, error) {
	t, ok := parseTarget(c.Target)
	if !ok {
		return request{}, fmt.Errorf("%s %s: this is not a cluster, pool or VM of Azure", c.Verb, c.Target)
	}
	return t.request(c)
}

// request returns the request for a change of the target.
func (t target) request(c cloud.Change) (request, error) {
	switch c.Verb {
	case cloud.Reconcile, cloud.Abort:
		return t.operation(c)
	case cloud.DeleteMachine, cloud.AddPool, cloud.ScalePool, cloud.DeletePool, cloud.UpgradeImage:
		return t.ofPool(c)
	}
	return t.ofMachine(c)
}

func (t target) operation(c cloud.Change) (request, error) {
	r := request{method: "PUT", id: t.id, version: aksVersion, right: clusterRight + "write"}
	var pool shell.Text
	switch {
	case t.pool != "":
		r.right, pool = poolRight+"write", " nodepool"
	case t.cluster == "":
		return request{}, fmt.Errorf("%s %s: this is not a cluster or pool", c.Verb, c.Target)
	}
	if c.Verb == cloud.Reconcile {
		r.command = shell.Format("az resource update --ids {resource-id}", t.id)
		return r, nil
	}
	r.method, r.action, r.right = "POST", "abort", strings.TrimSuffix(r.right, "write")+"abort/action"
	r.command = "az aks" + pool + " operation-abort" + t.named()
	return r, nil
}

func (t target) ofPool(c cloud.Change) (request, error) {
	if t.pool == "" {
		return request{}, fmt.Errorf("%s %s: this is not a pool", c.Verb, c.Target)
	}
	r := request{method: "PUT", id: t.id, version: aksVersion, right: poolRight + "write"}
	switch c.Verb {
	case cloud.DeleteMachine:
		if !plainName.MatchString(c.Machine) {
			return request{}, fmt.Errorf("%s %q: exactly one VM is required", c.Verb, c.Machine)
		}
		r.method, r.action, r.right = "POST", "deleteMachines", poolRight+"deleteMachines/action"
		r.body = map[string]any{"machineNames": []string{c.Machine}}
		r.command = "az aks nodepool delete-machines" + t.named() + shell.Format(" --machine-names {machine}", c.Machine)
	case cloud.DeletePool:
		r.method, r.right = "DELETE", poolRight+"delete"
		r.command = "az aks nodepool delete" + t.named()
	case cloud.UpgradeImage:
		r.method, r.action, r.right = "POST", "upgradeNodeImageVersion", poolRight+"upgradeNodeImageVersion/action"
		r.command = "az aks nodepool upgrade" + t.named() + " --node-image-only"
	case cloud.ScalePool:
		r.command = "az aks nodepool scale" + t.named() + shell.Format(" --node-count {count}", strconv.Itoa(c.Count))
	} // the command of AddPool depends on the copied pool: see addLike
	return r, nil
}

func (t target) ofMachine(c cloud.Change) (request, error) {
	if t.machine == "" && t.instance == "" {
		return request{}, fmt.Errorf("%s %s: this is not a VM", c.Verb, c.Target)
	}
	r := request{method: "POST", id: t.id, version: computeVersion}
	group := shell.Format(" -g {group}", t.group)
	if t.instance == "" { // a standalone VM
		r.action = map[cloud.Verb]string{cloud.Refresh: "reapply", cloud.Reimage: "reimage", cloud.Restart: "restart", cloud.Redeploy: "redeploy", cloud.Start: "start"}[c.Verb]
		r.right = machineRight + r.action + "/action"
		r.command = shell.Format("az vm {verb}", r.action) + group + shell.Format(" -n {machine}", t.machine)
		if c.Verb == cloud.Reimage { // az has no command for it
			r.command = t.rest(r)
		}
		return r, unknown(c, r)
	}
	named := group + shell.Format(" -n {scale-set}", t.set)
	if c.Verb == cloud.Refresh {
		r.id, r.action, r.right = t.setID, "manualupgrade", setRight+"manualUpgrade/action"
		r.body = map[string]any{"instanceIds": []string{t.instance}}
		r.command = "az vmss update-instances" + named + shell.Format(" --instance-ids {instance-id}", t.instance)
		return r, nil
	}
	r.action = map[cloud.Verb]string{cloud.Reimage: "reimage", cloud.Restart: "restart", cloud.Redeploy: "redeploy", cloud.Start: "start"}[c.Verb]
	r.right = setRight + "virtualMachines/" + r.action + "/action"
	switch c.Verb {
	case cloud.Reimage:
		r.command = "az vmss reimage" + named + shell.Format(" --instance-ids {instance-id}", t.instance)
	case cloud.Restart, cloud.Start:
		r.command = shell.Format("az vmss {verb}", r.action) + named + shell.Format(" --instance-ids {instance-id}", t.instance)
	default: // az has no command for it
		r.command = t.rest(r)
	}
	return r, unknown(c, r)
}

func unknown(c cloud.Change, r request) error {
	if r.action == "" {
		return fmt.Errorf("%s is not supported for Azure VMs", c.Verb)
	}
	return nil
}

func (t target) rest(r request) shell.Text {
	return shell.Format("az rest --method post --url {url}", t.id+"/"+r.action+"?api-version="+r.version)
}

func (r request) path() string {
	if r.action == "" {
		return r.id
	}
	return r.id + "/" + r.action
}

// shown returns the request for display.
func (r request) shown(c cloud.Change) cloud.Request {
	out := cloud.Request{Method: r.method, Path: r.path() + "?api-version=" + r.version, Right: r.right, Command: r.command}
	switch c.Verb {
	case cloud.Reconcile:
		out.Body = "the response of a GET, unchanged"
	case cloud.ScalePool:
		out.Body = fmt.Sprintf("the response of a GET, with count %d", c.Count)
	case cloud.AddPool:
		out.Body = fmt.Sprintf("the response of a GET of pool %s, with count %d%s, without read-only fields", c.Like[strings.LastIndexByte(c.Like, '/')+1:], c.Count, ownWords(c.Own))
	case cloud.DeleteMachine:
		out.Body = fmt.Sprintf(`{"machineNames": [%q]}`, c.Machine)
	case cloud.Refresh:
		if list, ok := r.body.(map[string]any); ok {
			out.Body = fmt.Sprintf(`{"instanceIds": [%q]}`, list["instanceIds"].([]string)[0])
		}
	}
	return out
}

// ownWords describes the custom properties of a new pool.
func ownWords(o cloud.Own) string {
	out := ""
	if o.Size != "" {
		out += ", vmSize " + o.Size
	}
	if o.Labels != "" {
		out += ", labels " + o.Labels
	}
	if o.Taints != "" {
		out += ", taints " + o.Taints
	}
	return out
}

// plainName matches a single name that needs no quotes in a shell: no star, no comma.
var plainName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$`)
