package execute

import (
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/evidence"
)

const (
	canaryName  = "nodetriage-canary"
	canaryLabel = "app.kubernetes.io/name=" + canaryName
	markCanary  = "nodetriage.dev/canary" // owner of the pod, to find pods that were left behind
	canaryPort  = "8080"
)

// Each check is a container, and its state is the result. Reading it needs only the permission to get pods, not exec or
// logs. A check tries five times because network plugins and proxies learn about a pod shortly after its start. It
// reports its duration in hundredths of a second and the number of tries.
const tries = `uptime() { read up _ < /proc/uptime; echo "${up%.*}${up#*.}"; }
begin=$(uptime); n=0
while :; do
  n=$((n+1))
  said=$(ask 2>&1) && break
  if [ $n -ge 5 ]; then echo "$said" | tail -n 3 > /dev/termination-log; exit 1; fi
  sleep 1
done
echo $(( $(uptime) - begin )) $n > /dev/termination-log
`

const (
	// The cluster domain is in the search list that the kubelet writes.
	askName = `zone=$(sed -n 's/^search.* \(svc\.[^ ]*\).*/\1/p' /etc/resolv.conf)
name=kubernetes.default.${zone:-svc.cluster.local}
ask() { nslookup -type=a $name || nslookup -type=aaaa $name; }
`
	// Any answer counts. An API server rejects a request without TLS in plain text, so the image needs no TLS. A proxy
	// in front of it may not answer, and then a connection counts.
	askAPI = `host=$KUBERNETES_SERVICE_HOST
case $host in *:*) host="[$host]";; esac
ask() {
  out=$(timeout 5 wget -q -O /dev/null http://$host:$KUBERNETES_SERVICE_PORT/livez 2>&1) && return 0
  case $out in *"HTTP/1."*) return 0;; esac
  nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT < /dev/null > /dev/null 2>&1 && return 0
  echo "$out"; return 1
}
`
	// The peer answers with its name, which proves that the answer is from the peer.
	askPeer = `case $PEER in *:*) PEER="[$PEER]";; esac
ask() {
  got=$(timeout 5 wget -q -O - http://$PEER:` + canaryPort + `/name 2>&1)
  [ "$got" = "$NAME" ] && return 0
  echo "asked $PEER for $NAME: $got"; return 1
}
`
)

// checks returns the containers of the canary.
func (c *canary) checks(peer *corev1.Pod) []corev1.Container {
	list := []corev1.Container{serve(), check("resolves", askName), check("api", askAPI)}
	if peer != nil {
		list = append(list, check("peer", askPeer, "PEER", peer.Status.PodIP, "NAME", peer.Name))
	}
	return list
}

// serve returns a container that answers HTTP requests with the name of its pod.
func serve() corev1.Container {
	return corev1.Container{
		Name: "serve", Command: []string{"httpd", "-f", "-p", canaryPort, "-h", "/canary"},
		VolumeMounts: []corev1.VolumeMount{{Name: "canary", MountPath: "/canary", ReadOnly: true}},
	}
}

// check returns a container that runs one check. env has names and values.
func check(name, ask string, env ...string) corev1.Container {
	c := corev1.Container{Name: name, Command: []string{"sh", "-c", ask + tries}, TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError}
	for i := 0; i+1 < len(env); i += 2 {
		c.Env = append(c.Env, corev1.EnvVar{Name: env[i], Value: env[i+1]})
	}
	return c
}

// pod returns a pod with node affinity to one node. It does not set spec.nodeName, which would bypass the scheduler. It
// tolerates the custom taints of the node and a cordon, which may stay until the fix is proven, but no taint of a
// failure. It meets the restricted Pod Security Standard.
func (c *canary) pod(role string, node *corev1.Node, containers ...corev1.Container) *corev1.Pod {
	name := canaryName + "-" + c.run
	if role != "" {
		name += "-" + role
	}
	now := c.opt.Reader.ServerTime()
	mark := evidence.Mark{By: c.opt.By, Run: c.run, Host: c.host, PID: os.Getpid(), At: now, Renewed: now}
	yes, no, life, grace, user := true, false, int64(canaryLife/time.Second), int64(1), int64(65534)
	for i := range containers {
		small := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("5m"), corev1.ResourceMemory: resource.MustParse("8Mi")}
		containers[i].Image, containers[i].ImagePullPolicy = c.opt.Image, corev1.PullIfNotPresent
		containers[i].Resources = corev1.ResourceRequirements{Requests: small, Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m"), corev1.ResourceMemory: resource.MustParse("32Mi")}}
		containers[i].SecurityContext = &corev1.SecurityContext{
			AllowPrivilegeEscalation: &no, ReadOnlyRootFilesystem: &yes, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		}
	}
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: c.opt.Namespace, Name: name,
			Labels:      map[string]string{"app.kubernetes.io/name": canaryName, "app.kubernetes.io/managed-by": "nodetriage"},
			Annotations: map[string]string{markCanary: mark.String()},
		},
		Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever, ActiveDeadlineSeconds: &life, TerminationGracePeriodSeconds: &grace,
			AutomountServiceAccountToken: &no, EnableServiceLinks: &no,
			Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
					Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node.Name},
				}}}},
			}}},
			Tolerations: tolerations(node),
			SecurityContext: &corev1.PodSecurityContext{
				RunAsNonRoot: &yes, RunAsUser: &user, RunAsGroup: &user, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Containers: containers,
			Volumes: []corev1.Volume{{Name: "canary", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
				Items: []corev1.DownwardAPIVolumeFile{{Path: "name", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
			}}}},
		},
	}
}

func tolerations(node *corev1.Node) []corev1.Toleration {
	out := []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists}}
	for _, t := range node.Spec.Taints {
		if !verify.IsFault(t) && t.Key != corev1.TaintNodeUnschedulable {
			out = append(out, corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpEqual, Value: t.Value, Effect: t.Effect})
		}
	}
	return out
}
