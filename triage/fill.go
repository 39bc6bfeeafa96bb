package triage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// fill replaces {names} in commands with values of the subject. Unknown names become <names>, and so do values that need quoting,
// because the command may already quote them.
type fill map[string]string

// ofDeployment matches pod names of a Deployment: a hash of the pod template in the alphabet of k8s.io/apimachinery pkg/util/rand,
// then five random letters of it.
var ofDeployment = lazyregexp.New(`^(.+)-[bcdf-hj-np-tv-xz2456789]{8,10}-[bcdf-hj-np-tv-xz2456789]{5}$`)

// perNode are the components that run as one pod on each node, by their names in commands. Pods of Deployments with similar names
// (calico-kube-controllers) are others.
var perNode = map[logline.Speaker]string{logline.Agent: "agent", logline.Device: "plugin"}

// filler returns the names for the commands of a finding. A name that was put first stays.
func filler(s *evidence.Snapshot, around *surroundings, group []*statement) fill {
	f := fill{}
	if p := s.Pod(group[0].subject.Namespace, group[0].subject.Name); p == nil || p.Node == "" {
		decisiveNode(group[0], f.put)
	}
	for _, st := range group {
		f.putSubject(s, st.subject)
		f.putCaptures(st.claims)
	}
	if cause := group[0].cause; cause != nil {
		effects(group, f.put)
		alone(s, cause, f, f.put)
	}
	lines(group, f.put)
	ofEachNode(evidence.Subject{Namespace: f["namespace"], Name: f["pod"]}, f.put)
	f.putDeployment(f["pod"])
	f.put("node", around.alone)
	podsOfComponents(s, f["node"], f.put)
	network(s, around, f["node"], f.put)
	if n := s.Node(f["node"]); n != nil {
		_, pool := n.PoolLabel()
		f.put("pool", pool)
	}
	for _, names := range []map[string]string{around.nodes[f["node"]], around.ofPool(s, f["pool"]), around.ofAll(f["node"]), around.only()} {
		for k, v := range names {
			f.put(k, v)
		}
	}
	for _, name := range []string{"lock-group", "node-resource-group"} { // without a message that names the locked group
		f.put("locked-group", f[name])
	}
	return f
}

// put sets a name that is not set yet, if the value needs no quoting.
func (f fill) put(name, value string) {
	if f[name] == "" && shell.Plain(value) {
		f[name] = value
	}
}

func (f fill) putSubject(s *evidence.Snapshot, subject evidence.Subject) {
	switch subject.Kind {
	case "Node":
		f.put("node", subject.Name)
	case "Pod":
		f.putPod(s, subject)
	case "Pool":
		f.put("pool", subject.Name)
	default:
		f.put("namespace", subject.Namespace)
		f.put("name", subject.Name)
		f.put(strings.ToLower(subject.Kind), subject.Name)
	}
}

// putPod puts a pod, its node and its workload. The name of a pod that was not read may show its Deployment.
func (f fill) putPod(s *evidence.Snapshot, pod evidence.Subject) {
	f.put("pod", pod.Name)
	f.put("namespace", pod.Namespace)
	ofEachNode(pod, f.put)
	p := s.Pod(pod.Namespace, pod.Name)
	if p == nil {
		f.putDeployment(pod.Name)
		return
	}
	f.put("node", p.Node)
	f.put("workload", workloadOf(s, p))
	if w := s.TopOwnerOf(p); w != nil && w.Replicas >= 0 {
		f.put("one-more", strconv.Itoa(w.Replicas+1))
	}
}

// putDeployment puts the Deployment in the name of a pod.
func (f fill) putDeployment(pod string) {
	if m := ofDeployment.FindStringSubmatch(pod); m != nil {
		f.put("workload", "deployment/"+m[1])
	}
}

// putCaptures puts what signatures and rules captured.
func (f fill) putCaptures(claims []Claim) {
	for _, c := range claims {
		for k, v := range c.Fill {
			if k == "flag" {
				v = strings.TrimLeft(v, "-") // a command would read it as its own flag
			}
			f.put(strings.ReplaceAll(k, "_", "-"), v) // regexp group names cannot contain hyphens
		}
	}
}

// effects puts the node if all effects of the group share one. Their pods and namespaces may differ from those of the cause.
func effects(group []*statement, put func(name, value string)) {
	var nodes []evidence.Subject
	for _, st := range group {
		for _, e := range st.effects {
			follows := e.by != nil && e.by.id == st.id
			ofNode := e.subject.Kind == "Node" && e.subject.Name != ""
			if follows && ofNode && !slices.Contains(nodes, e.subject) {
				nodes = append(nodes, e.subject)
			}
		}
	}
	if len(nodes) == 1 {
		put("node", nodes[0].Name)
	}
}

// alone puts the only node of the evidence if the cause is of a node. It puts the only PodDisruptionBudget if the cause is about
// them.
func alone(s *evidence.Snapshot, cause *catalog.Cause, f fill, put func(name, value string)) {
	if nodes := s.Nodes(); len(nodes) == 1 && cause.Scope == "node" {
		put("node", nodes[0].Name)
	}
	if budgets := s.Data().PDBs; len(budgets) == 1 && strings.Contains(cause.ID, "pdb") && (f["namespace"] == "" || f["namespace"] == budgets[0].Namespace) {
		put("pdb", budgets[0].Name)
		put("namespace", budgets[0].Namespace)
	}
}

// ofEachNode puts the pod if it is one of a component that runs on each node.
func ofEachNode(pod evidence.Subject, put func(name, value string)) {
	if name := perNode[logline.Named(pod.Name)]; name != "" && !ofDeployment.MatchString(pod.Name) {
		component(name, pod, put)
	}
}

// component puts the pod of a component.
func component(name string, pod evidence.Subject, put func(name, value string)) {
	put(name+"-pod", pod.Name)
	put(name+"-namespace", pod.Namespace)
}

// podsOfComponents puts the pods of the node's components, if each runs as one pod.
func podsOfComponents(s *evidence.Snapshot, node string, put func(name, value string)) {
	if node == "" {
		return
	}
	for name, who := range map[string]logline.Speaker{"agent": logline.Agent, "kube-proxy": logline.Proxy} {
		pods := slices.DeleteFunc(slices.Clone(s.PodsOn(node)), func(p *evidence.Pod) bool {
			row := p.Owner.Name == "" && who == logline.Proxy // a row of a kubectl table shows no owner; network agents have helpers with similar names
			return logline.Named(p.Name) != who || mechanics.OfKind(p.Owner.Kind) != mechanics.OnSameNode && !row
		})
		if len(pods) == 1 {
			component(name, pods[0].Subject(), put)
		}
	}
}

// network puts the interface of the node's default route, and the address of a healthy node to test with.
func network(s *evidence.Snapshot, around *surroundings, node string, put func(name, value string)) {
	for _, r := range s.Reports(node) {
		for _, route := range r.Routes {
			if route.Destination == "default" {
				put("interface", route.Device)
			}
		}
	}
	for _, n := range around.reached {
		if node != "" && n.name != node {
			put("address-of-another-node", n.address)
			return
		}
	}
}

// workloadOf returns the owner of the pod template in the form of kubectl: "deployment/web".
func workloadOf(s *evidence.Snapshot, p *evidence.Pod) string {
	owner := p.Owner
	if w := s.TopOwnerOf(p); w != nil {
		owner = evidence.Owner{Kind: w.Kind, Name: w.Name}
	}
	if owner.Name == "" || owner.Kind == "ReplicaSet" || owner.Kind == "Node" { // the template of a ReplicaSet belongs to its Deployment
		return ""
	}
	return strings.ToLower(owner.Kind) + "/" + owner.Name
}

// instead returns the commands of the remedy. An alternative replaces a command if all its names are known.
func (f fill) instead(r catalog.Remedy) []shell.Text {
	if len(r.Instead) == 0 {
		return r.Commands
	}
	out := slices.Clone(r.Commands)
	for i, command := range out {
		for _, other := range r.Instead {
			if callOf(other) == callOf(command) && (!f.knows(command) || len(command.Places()) == 0) && f.knows(other) {
				out[i] = other
			}
		}
	}
	return out
}

// callOf returns the command up to its first option.
func callOf(command shell.Text) string {
	call, _, _ := strings.Cut(string(command), " -")
	return call
}

// knows reports whether all names in the command are known.
func (f fill) knows(command shell.Text) bool {
	return !slices.ContainsFunc(command.Places(), func(name string) bool { return f[name] == "" })
}

func (f fill) all(texts []shell.Text) []shell.Text {
	out := make([]shell.Text, 0, len(texts))
	for _, t := range texts {
		out = append(out, f.prose(t))
	}
	return out
}

// Unfilled returns the command or text with its {names} shown as <names>.
func Unfilled(text shell.Text) shell.Text { return text.Fill(nil) }
