//go:build unix

package lab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

var (
	placementRounds = flag.Int("clusters", 10, "random clusters in which the scheduler and why are asked about random pods")
	placementSeed   = flag.Uint64("placement-seed", 20261121, "of those clusters")
	placementOf     = flag.String("kubernetes", "", "minor version of the scheduler; empty: the lab's own")
)

// Random pods in random clusters: why returns the message of the real scheduler, word for word, and the nodes on which
// it lets the pod run. Only the scheduler runs, not the controllers, so nothing changes between the answers.
func TestPlacementIsTheSchedulers(t *testing.T) {
	t.Parallel()
	const cases = 60
	seed := *placementSeed
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	plane, err := lab.Start(ctx, lab.Options{Kubernetes: *placementOf, ControllerArgs: []string{"--controllers=disruption-controller"}, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer plane.Stop()
	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	never := corev1.PreemptNever
	if _, err := client.SchedulingV1().PriorityClasses().Create(ctx, &schedulingv1.PriorityClass{
		ObjectMeta: metav1.ObjectMeta{Name: "patient"}, PreemptionPolicy: &never,
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.SchedulingV1().PriorityClasses().Create(ctx, &schedulingv1.PriorityClass{
		ObjectMeta: metav1.ObjectMeta{Name: "urgent"}, Value: 1000,
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	total := tally{}
	for round := range *placementRounds {
		w := &placing{T: t, ctx: ctx, client: client, round: round, rnd: rand.New(rand.NewPCG(seed, uint64(round))), said: map[string]saying{}}
		w.build()
		w.awaitScheduler()
		for i := range cases {
			w.ask(fmt.Sprintf("case-%d", i), w.pod())
		}
		w.askUrgent() // last: the pods that it preempts are missing afterwards
		w.compare(&total)
		w.clear()
	}
	t.Logf("seed %d, %d clusters, %d pods refused word by word alike, %d placed, %d times one node asked for, %d ended others: %s", seed, *placementRounds, total.refused, total.placed, total.pinned, total.preempted, time.Since(begin).Round(time.Second))
	if *placementRounds >= 10 && total.preempted < 3 {
		t.Error("hardly any pod ended others")
	}
	if total.refused < 100 || total.placed < 50 || total.pinned < 50 {
		t.Error("the cases are one-sided")
	}
}

type tally struct{ refused, placed, pinned, preempted int }

// saying is the answer of the scheduler; nominated is the node on which it preempts the victims.
type saying struct {
	node, message, nominated string
	victims                  []string
}

// placing is one cluster with the pods under test.
type placing struct {
	*testing.T
	ctx    context.Context
	client *kubernetes.Clientset
	round  int
	rnd    *rand.Rand
	nodes  []string
	base   []any
	asked  []*corev1.Pod
	pinned map[string]string // node by case
	said   map[string]saying
}

func (w *placing) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// named returns a name that is new in this cluster: the scheduler may still cache objects of the previous one.
func (w *placing) named(name string) string { return fmt.Sprintf("%s-%d", name, w.round) }

func (w *placing) chance(percent int) bool { return w.rnd.IntN(100) < percent }

func pick[T any](w *placing, list ...T) T { return list[w.rnd.IntN(len(list))] }

const nodeCount = 8

// build creates the nodes, volumes and running pods.
func (w *placing) build() {
	w.pinned = map[string]string{}
	for i := range nodeCount {
		name := fmt.Sprintf("n%d", i)
		w.nodes = append(w.nodes, name)
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			"kubernetes.io/hostname": name, "disk": pick(w, "ssd", "hdd"),
		}}}
		if w.chance(85) {
			n.Labels["topology.kubernetes.io/zone"] = pick(w, "a", "b", "c")
		}
		made, err := w.client.CoreV1().Nodes().Create(w.ctx, n, metav1.CreateOptions{})
		w.must(err)
		made.Spec.Taints = nil // admission set the status of a new pod, which is not ready
		made.Spec.Unschedulable = w.chance(15)
		if w.chance(30) {
			made.Spec.Taints = append(made.Spec.Taints, corev1.Taint{Key: pick(w, "gpu", "team"), Value: pick(w, "", "x"), Effect: pick(w, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)})
		}
		made, err = w.client.CoreV1().Nodes().Update(w.ctx, made, metav1.UpdateOptions{})
		w.must(err)
		room := corev1.ResourceList{"cpu": resource.MustParse(pick(w, "1", "2", "4")), "memory": resource.MustParse(pick(w, "1Gi", "2Gi")), "pods": resource.MustParse(pick(w, "3", "6", "20"))}
		if w.chance(25) {
			room["example.com/gpu"] = resource.MustParse("2")
		}
		if i == nodeCount-1 {
			room[w.lastRead()] = resource.MustParse("1")
		}
		made.Status.Capacity, made.Status.Allocatable = room, room
		made, err = w.client.CoreV1().Nodes().UpdateStatus(w.ctx, made, metav1.UpdateOptions{})
		w.must(err)
		w.keep("v1", "Node", made)
	}
	w.volumes()
	for i := range 14 {
		p := w.pod()
		p.Name, p.Spec.NodeName = fmt.Sprintf("base-%d", i), pick(w, w.nodes...)
		p.Spec.Volumes = nil
		if w.chance(40) {
			p.Spec.PriorityClassName = "urgent"
		}
		made, err := w.client.CoreV1().Pods("default").Create(w.ctx, p, metav1.CreateOptions{})
		w.must(err)
		w.keep("v1", "Pod", made)
	}
}

// lastRead is a resource that only the last node has.
func (w *placing) lastRead() corev1.ResourceName {
	return corev1.ResourceName(w.named("example.com/last-read"))
}

// awaitScheduler returns when the scheduler has read all new objects. It reads each kind of object separately, in the
// order of the changes. Before it decides about a pod, it has read all earlier pods.
func (w *placing) awaitScheduler() {
	one := corev1.ResourceList{w.lastRead(): resource.MustParse("1")}
	everywhere := []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	some, every := fmt.Sprintf("%d Insufficient %s", nodeCount-1, w.lastRead()), fmt.Sprintf("0/%d nodes", nodeCount)
	w.await(corev1.PodSpec{
		Tolerations: everywhere,
		Containers:  []corev1.Container{{Name: "main", Image: "x", Resources: corev1.ResourceRequirements{Requests: one, Limits: one}}},
	}, func(message string) bool { return strings.Contains(message, some) && strings.Contains(message, every) })
	for _, kind := range []string{"late", "now", "bound"} {
		w.await(corev1.PodSpec{
			Tolerations: everywhere,
			Containers:  []corev1.Container{{Name: "main", Image: "x"}},
			Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: w.named(kind)},
			}}},
		}, func(message string) bool {
			return !strings.Contains(message, `" not found`) && !strings.Contains(message, "non-existent")
		})
	}
}

// await creates such pods until the scheduler places one, or rejects it with a message for which read is true.
func (w *placing) await(spec corev1.PodSpec, read func(message string) bool) {
	for {
		_, said := w.decide(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "first"}, Spec: spec})
		if said.node != "" || read(said.message) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// volumes creates claims of each kind that can make a pod wait.
func (w *placing) volumes() {
	late, now := storagev1.VolumeBindingWaitForFirstConsumer, storagev1.VolumeBindingImmediate
	for name, mode := range map[string]*storagev1.VolumeBindingMode{w.named("late"): &late, w.named("now"): &now} {
		made, err := w.client.StorageV1().StorageClasses().Create(w.ctx, &storagev1.StorageClass{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: mode,
		}, metav1.CreateOptions{})
		w.must(err)
		w.keep("storage.k8s.io/v1", "StorageClass", made)
	}
	size := corev1.ResourceList{"storage": resource.MustParse("1Gi")}
	for _, kind := range []string{"late", "now", "bound"} {
		name := w.named(kind)
		class := name
		if kind == "bound" {
			class = ""
		}
		c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: size}, StorageClassName: &class,
		}}
		v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv-" + name}, Spec: corev1.PersistentVolumeSpec{
			AccessModes: c.Spec.AccessModes, Capacity: size, StorageClassName: class,
			PersistentVolumeSource: corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{Path: "/x"}},
			NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpIn, Values: []string{"ssd"}}},
			}}}},
		}}
		if kind == "bound" {
			c.Spec.VolumeName, c.Annotations = v.Name, map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
			v.Spec.ClaimRef = &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: "default", Name: name}
		}
		claim, err := w.client.CoreV1().PersistentVolumeClaims("default").Create(w.ctx, c, metav1.CreateOptions{})
		w.must(err)
		if v.Spec.ClaimRef != nil {
			v.Spec.ClaimRef.UID = claim.UID
		}
		if kind == "bound" {
			claim.Status.Phase = corev1.ClaimBound
			claim, err = w.client.CoreV1().PersistentVolumeClaims("default").UpdateStatus(w.ctx, claim, metav1.UpdateOptions{})
			w.must(err)
		}
		w.keep("v1", "PersistentVolumeClaim", claim)
		if kind == "late" {
			continue // with a volume, the scheduler would wait for a controller to bind it
		}
		volume, err := w.client.CoreV1().PersistentVolumes().Create(w.ctx, v, metav1.CreateOptions{})
		w.must(err)
		w.keep("v1", "PersistentVolume", volume)
	}
}

// pod returns a random pod.
func (w *placing) pod() *corev1.Pod {
	app := map[string]string{"app": pick(w, "web", "db", "job")}
	c := corev1.Container{Name: "main", Image: "x", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}
	if w.chance(70) {
		c.Resources.Requests["cpu"] = resource.MustParse(pick(w, "100m", "500m", "900m", "1500m", "3", "5"))
	}
	if w.chance(40) {
		c.Resources.Requests["memory"] = resource.MustParse(pick(w, "100Mi", "900Mi", "1500Mi"))
	}
	if w.chance(8) {
		gpu := resource.MustParse(pick(w, "1", "2"))
		c.Resources.Requests["example.com/gpu"] = gpu
		c.Resources.Limits = corev1.ResourceList{"example.com/gpu": gpu}
	}
	if w.chance(15) {
		c.Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: pick[int32](w, 80, 81)}}
	}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: app}, Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
	s := &p.Spec
	if w.chance(20) {
		s.NodeSelector = map[string]string{"disk": pick(w, "ssd", "hdd", "none")}
	}
	if w.chance(40) {
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: pick(w, "gpu", "team", ""), Operator: corev1.TolerationOpExists})
	}
	peers := &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(w, "web", "db", "job")}}
	where := pick(w, "kubernetes.io/hostname", "topology.kubernetes.io/zone")
	term := []corev1.PodAffinityTerm{{LabelSelector: peers, TopologyKey: where}}
	switch w.rnd.IntN(8) {
	case 0:
		s.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term}}
	case 1, 2:
		s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term}}
	case 3, 4:
		policy := pick(w, corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore)
		s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: where, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: peers, NodeTaintsPolicy: &policy,
		}}
	}
	if w.chance(15) {
		s.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: w.named(pick(w, "late", "now", "bound", "missing"))},
		}}}
	}
	if w.chance(10) {
		s.PriorityClassName = "patient"
	}
	return p
}

// ask lets the scheduler decide, and deletes the pod. A pod that was placed is tested node by node, unless its possible
// nodes affect its topology spread.
func (w *placing) ask(name string, p *corev1.Pod) {
	p.Name = name
	made, said := w.decide(p)
	w.asked, w.said[name] = append(w.asked, made), said
	if said.node == "" || len(p.Spec.TopologySpreadConstraints) > 0 || p.Spec.Affinity != nil || !w.chance(30) {
		return
	}
	for _, node := range w.nodes {
		one := p.DeepCopy()
		one.Name = name + "-on-" + node
		one.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}},
		}}}
		made, said := w.decide(one)
		w.asked, w.said[one.Name], w.pinned[one.Name] = append(w.asked, made), said, name
	}
}

// askUrgent tests pods of high priority, node by node, until the scheduler preempts others for one.
func (w *placing) askUrgent() {
	for _, node := range w.nodes {
		c := corev1.Container{Name: "main", Image: "x", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(pick(w, "900m", "1", "1500m"))}}}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "urgent-on-" + node, Labels: map[string]string{"app": "urgent"}}, Spec: corev1.PodSpec{
			PriorityClassName: "urgent", Containers: []corev1.Container{c}, NodeSelector: map[string]string{"kubernetes.io/hostname": node},
			Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
		}}
		made, said := w.decide(p)
		w.asked, w.said[p.Name] = append(w.asked, made), said
		if said.nominated != "" {
			return
		}
	}
}

// victims returns the pods that the scheduler has preempted for another one.
func (w *placing) victims() (out []string) {
	list, err := w.client.CoreV1().Pods("default").List(w.ctx, metav1.ListOptions{})
	w.must(err)
	for _, p := range list.Items {
		if slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.DisruptionTarget && c.Reason == corev1.PodReasonPreemptionByScheduler
		}) {
			out = append(out, "default/"+p.Name)
		}
	}
	return out
}

func (w *placing) decide(p *corev1.Pod) (*corev1.Pod, saying) {
	w.Helper()
	pods := w.client.CoreV1().Pods("default")
	yes := true
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "cases", UID: "cases", Controller: &yes}}
	made, err := pods.Create(w.ctx, p, metav1.CreateOptions{})
	w.must(err)
	changes, err := pods.Watch(w.ctx, metav1.SingleObject(made.ObjectMeta))
	w.must(err)
	defer changes.Stop()
	var said saying
	for e := range changes.ResultChan() {
		now, ok := e.Object.(*corev1.Pod)
		if !ok || e.Type == watch.Deleted {
			w.Fatalf("%s: %v", p.Name, e.Object)
		}
		if said.node = now.Spec.NodeName; said.node != "" {
			break
		}
		if i := slices.IndexFunc(now.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled }); i >= 0 {
			said.nominated = now.Status.NominatedNodeName
			if said.message = now.Status.Conditions[i].Message; said.message != "" {
				break
			}
		}
	}
	if said.nominated != "" {
		for said.victims = w.victims(); len(said.victims) == 0 && w.ctx.Err() == nil; said.victims = w.victims() {
			time.Sleep(50 * time.Millisecond) // they are deleted after the decision
		}
		for same := 0; same < 15; same++ { // they are deleted one by one, and no event marks the last
			time.Sleep(200 * time.Millisecond)
			if now := w.victims(); len(now) != len(said.victims) {
				said.victims, same = now, 0
			}
		}
	}
	w.must(w.ctx.Err())
	now := int64(0)
	w.must(pods.Delete(w.ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}))
	return made, said
}

// keep adds an object to the dump.
func (w *placing) keep(version, kind string, o any) {
	raw, err := json.Marshal(o)
	w.must(err)
	var tree map[string]any
	w.must(json.Unmarshal(raw, &tree))
	tree["apiVersion"], tree["kind"] = version, kind
	w.base = append(w.base, tree)
}

// compare runs why for all cases at once and compares the answers with those of the scheduler.
func (w *placing) compare(total *tally) {
	w.keep("batch/v1", "Job", &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "cases", Namespace: "default", UID: "cases"}})
	for _, p := range w.asked {
		w.keep("v1", "Pod", p)
	}
	dump, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": w.base})
	w.must(err)
	version, err := w.client.Discovery().RESTClient().Get().AbsPath("/version").DoRaw(w.ctx)
	w.must(err)
	folder := w.TempDir()
	w.must(os.WriteFile(filepath.Join(folder, "cluster.json"), dump, 0o600))
	w.must(os.WriteFile(filepath.Join(folder, "version.json"), version, 0o600))
	cmd := exec.CommandContext(w.ctx, program, "why", "job/cases", "-f", folder, "-o", "json")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	var answer struct {
		Pods []struct {
			Name       string
			Scheduling struct {
				Message  string
				Feasible []string
				Preempts *struct {
					Node    string
					Victims []string
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || len(answer.Pods) != len(w.asked) {
		w.Fatalf("why answers for %d of %d pods: %v\n%s", len(answer.Pods), len(w.asked), err, &stderr)
	}
	feasible := map[string][]string{}
	for _, p := range answer.Pods {
		feasible[p.Name] = p.Scheduling.Feasible
	}
	for _, p := range answer.Pods {
		said, of := w.said[p.Name], w.pinned[p.Name]
		switch {
		case said.node == "" && p.Scheduling.Message != said.message:
			w.Errorf("%s: the scheduler says\n  %s\nwhy says\n  %s (fits on %v)", p.Name, said.message, p.Scheduling.Message, p.Scheduling.Feasible)
		case (said.nominated != "") != (p.Scheduling.Preempts != nil):
			w.Errorf("%s: the scheduler ends %v on %q; why says %+v", p.Name, said.victims, said.nominated, p.Scheduling.Preempts)
		case said.nominated != "" && said.nominated == p.Scheduling.Preempts.Node && len(said.victims) != len(p.Scheduling.Preempts.Victims):
			w.Errorf("%s: the scheduler ends %v on %s; why says %v", p.Name, said.victims, said.nominated, p.Scheduling.Preempts.Victims)
		case said.nominated != "":
			total.preempted++
		case said.node != "" && !slices.Contains(p.Scheduling.Feasible, said.node):
			w.Errorf("%s: the scheduler chose %s; why finds %v", p.Name, said.node, p.Scheduling.Feasible)
		case of != "" && said.node != "" && !slices.Contains(feasible[of], said.node):
			w.Errorf("%s: the scheduler lets it run on %s; why finds only %v", of, said.node, feasible[of])
		case of != "":
			total.pinned++
		case said.node == "":
			total.refused++
		default:
			total.placed++
		}
	}
	for name, of := range w.pinned {
		node := name[len(of)+len("-on-"):]
		if w.said[name].node == "" && slices.Contains(feasible[of], node) {
			w.Errorf("%s: the scheduler does not let it run on %s; why does: %s", of, node, w.said[name].message)
		}
	}
}

// clear deletes everything except the objects that clusters share.
func (w *placing) clear() {
	now := int64(0)
	del, all := metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}
	w.must(w.client.CoreV1().Pods("default").DeleteCollection(w.ctx, del, all))
	w.must(w.client.CoreV1().Nodes().DeleteCollection(w.ctx, del, all))
	w.must(w.client.StorageV1().StorageClasses().DeleteCollection(w.ctx, del, all))
	for _, kind := range []string{"late", "now", "bound"} { // no controller removes the finalizers that protect them
		name := w.named(kind)
		none := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := w.client.CoreV1().PersistentVolumeClaims("default").Patch(w.ctx, name, "application/merge-patch+json", none, metav1.PatchOptions{})
		w.must(err)
		w.must(w.client.CoreV1().PersistentVolumeClaims("default").Delete(w.ctx, name, del))
		if kind == "late" {
			continue
		}
		_, err = w.client.CoreV1().PersistentVolumes().Patch(w.ctx, "pv-"+name, "application/merge-patch+json", none, metav1.PatchOptions{})
		w.must(err)
		w.must(w.client.CoreV1().PersistentVolumes().Delete(w.ctx, "pv-"+name, del))
	}
}
