package triage_test

import (
	"regexp"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/casetest"
	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// kindOfNode is a node of a platform, and what no command for it may have: on its machine, and anywhere.
type kindOfNode struct {
	image, version, runtime, provider, os string
	onNode, anywhere                      *regexp.Regexp
}

var (
	units      = `\b(?:systemctl(?: [a-z-]+)+|journalctl(?: -[a-z]+)* -u|-u)(?: --now)? (?:kubelet|containerd)\b`
	embedded   = regexp.MustCompile(units + `|\bkubeadm (?:reset|join|token)|/etc/kubernetes/|/run/containerd/containerd\.sock|\bnodeadm `)
	noPackages = regexp.MustCompile(`\b(?:apt-get|apt|dnf|yum|zypper|tdnf) `)
	noCloud    = regexp.MustCompile(`^(?:az|aws|gcloud|eksctl|nodetriage repair) `)
	notAzure   = regexp.MustCompile(`^(?:az|nodetriage repair) `)
	notAWS     = regexp.MustCompile(`^aws `)
	unix       = regexp.MustCompile(`\b(?:systemctl|journalctl|dmesg|crictl|grep|awk|sed|apt-get|dnf|ip route|sysctl)\b|/etc/|/var/|/proc/|/sys/`)
	noDocker   = regexp.MustCompile(`\b(?:systemctl [a-z-]+ docker|docker (?:ps|restart|system))\b`)
)

// kindsOfNodes is the table by which commands are judged. It stands apart from catalog/platforms.yaml, by which they are made.
var kindsOfNodes = map[string]kindOfNode{
	"k3s":          {"Ubuntu 22.04.5 LTS", "v1.33.4+k3s1", "containerd://2.0.5-k3s2", "k3s://n", "linux", embedded, noCloud},
	"rke2":         {"SUSE Linux Enterprise Server 15 SP6", "v1.31.1+rke2r1", "containerd://1.7.21-k3s2", "rke2://n", "linux", embedded, noCloud},
	"k0s":          {"Debian GNU/Linux 12 (bookworm)", "v1.31.2+k0s", "containerd://1.7.23", "", "linux", embedded, notAzure},
	"openshift":    {"Red Hat Enterprise Linux CoreOS 418.94.202501", "v1.31.4", "cri-o://1.31.4", "baremetalhost:///x", "linux", regexp.MustCompile(noPackages.String() + `|\bkubeadm (?:reset|join)|\bctr |/run/containerd/|\bsystemctl [a-z-]+ containerd\b`), noCloud},
	"talos":        {"Talos (v1.9.0)", "v1.32.0", "containerd://2.0.1", "", "linux", unix, notAzure},
	"windows":      {"Windows Server 2022 Datacenter", "v1.33.3", "containerd://1.7.20", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/akswin/virtualMachines/0", "windows", unix, notAWS},
	"bottlerocket": {"Bottlerocket OS 1.30.0 (aws-k8s-1.31)", "v1.31.2-eks-94953ac", "containerd://1.7.24", "aws:///us-east-1b/i-0abc", "linux", regexp.MustCompile(noPackages.String() + `|\b(?:kubeadm|nodeadm|vi|cloud-init) |\bcrictl (?:ps|pods|images|rm|inspect|logs)`), notAzure},
	"flatcar":      {"Flatcar Container Linux by Kinvolk 4081.2.0", "v1.31.2", "containerd://1.7.21", "", "linux", noPackages, regexp.MustCompile(`^$`)},
	"amazon linux": {"Amazon Linux 2023.6.20250107", "v1.31.2-eks-94953ac", "containerd://1.7.24", "aws:///us-east-1b/i-0abc", "linux", regexp.MustCompile(`\b(?:apt-get|zypper|tdnf) |` + noDocker.String()), notAzure},
	"azure linux":  {"CBL-Mariner/Linux", "v1.31.2", "containerd://1.6.26", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3", "linux", regexp.MustCompile(`\b(?:apt-get|zypper|dnf) |` + noDocker.String()), notAWS},
	"ubuntu":       {"Ubuntu 22.04.5 LTS", "v1.31.2", "containerd://1.7.27", "azure:///subscriptions/0/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/3", "linux", regexp.MustCompile(`\b(?:zypper|dnf|tdnf) |` + noDocker.String()), notAWS},
}

// Whatever is wrong with a node, no command is shown that its platform does not have.
func TestCommandsOfPlatforms(t *testing.T) {
	cat, _ := casetest.Builtin(t)
	for platform, kind := range kindsOfNodes {
		s := nodes(kind.node())
		shown := 0
		for _, cause := range cat.Causes() {
			r := judge(t, s, claim(cause.ID, triage.Certain, on("n")))
			for _, f := range r.Findings {
				shown += kind.judge(t, platform, &f)
			}
		}
		if shown < 150 {
			t.Errorf("%s: only %d commands are shown for all causes", platform, shown)
		}
	}
}

func (k kindOfNode) node() *evidence.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Spec: corev1.NodeSpec{ProviderID: k.provider}}
	n.Status.NodeInfo = corev1.NodeSystemInfo{OperatingSystem: k.os, OSImage: k.image, KubeletVersion: k.version, ContainerRuntimeVersion: k.runtime}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now)}}
	return &evidence.Node{Node: n}
}

// judge reports commands that the platform does not have, and counts all.
func (k kindOfNode) judge(t *testing.T, platform string, f *triage.Finding) (shown int) {
	say := func(command, place string) {
		shown++
		onNode := slices.Contains([]string{"node", catalog.ControlPlane}, place)
		if k.anywhere.MatchString(command) || onNode && k.onNode.MatchString(command) {
			t.Errorf("%s: %s: %s", platform, f.Cause, command)
		}
	}
	for _, c := range f.Confirm {
		say(string(c.Run), c.Where)
	}
	for _, r := range f.Remedies {
		for _, c := range r.Commands {
			say(string(c), r.Place(c))
		}
	}
	for _, text := range slices.Concat(f.Verify, f.Cautions) {
		if k.onNode == unix && unix.MatchString(string(text)) {
			t.Errorf("%s: %s: %s", platform, f.Cause, text)
		}
	}
	return shown
}
