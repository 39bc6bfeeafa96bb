//go:build linux

package scenario

import (
	"context"
	"errors"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/lab"
)

// resolverLoop needs a resolver on the node with a loopback address, like systemd-resolved.
var resolverLoop = Scenario{
	Name: "resolver-loop", Real: true, After: 45 * time.Second, Lone: true, // cluster DNS
	Occupies: []Part{Pods, Settings}, Sign: `^event BackOff`, Restarts: newKubelet,
	Needs: outside("kubectl logs -n kube-system"), Texts: []string{"logs -n kube-system -l k8s-app=kube-dns --tail=20"},
	Truth: Truth{Class: "node-dns-failure", Wider: []string{"system-pods-not-running"},
		Truth: "The kubelet's resolvConf was set to the file of systemd-resolved's stub: CoreDNS is given its own loopback address as its server, asks itself and ends."},
	Prepare: func(ctx context.Context, w *World) error {
		server, err := w.Plane.StartResolver(ctx)
		if err != nil {
			return err
		}
		if err := w.shell(ctx, "resolvectl dns eth0 "+server); err != nil {
			return err
		}
		return w.clusterDNS(ctx)
	},
	Break: func(ctx context.Context, w *World) error {
		stub := replace("resolvConf: /run/systemd/resolve/resolv.conf", "resolvConf: /etc/resolv.conf")
		return errors.Join(w.edit(lab.KubeletConfig, stub), w.Machine.Unit(lab.Kubelet).Restart(), w.newClusterDNS(ctx))
	},
	Heal: func(ctx context.Context, w *World) error {
		return errors.Join(restoreAndRestart(lab.KubeletConfig)(ctx, w), w.newClusterDNS(ctx), w.clusterDNSRuns(ctx), w.noClusterDNS(ctx))
	},
}

const (
	systemSpace = "kube-system"
	dnsName     = "coredns" // of its objects, its container and its program
	dnsImage    = "registry.example.com/coredns:1"
)

var dnsLabels = map[string]string{"k8s-app": "kube-dns"}

// corefile is that of kubeadm without the plugins that need the API server.
const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
}
`

// clusterDNS runs CoreDNS on the node, as kubeadm deploys it, and waits until it answers.
func (w *World) clusterDNS(ctx context.Context) error {
	program, err := lab.BuildCoreDNS(ctx, os.Stderr)
	if err != nil {
		return err
	}
	image := lab.ImageSpec{Name: dnsImage, Entrypoint: []string{"/" + dnsName}, Programs: map[string]string{dnsName: program}}
	if err := w.Machine.AddImage(ctx, image); err != nil {
		return err
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: dnsName}, Data: map[string]string{"Corefile": corefile}}
	if _, err := w.Client.CoreV1().ConfigMaps(systemSpace).Create(ctx, config, metav1.CreateOptions{}); err != nil {
		return err
	}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: dnsName, Labels: dnsLabels},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: dnsLabels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: dnsLabels}, Spec: dnsPod(w.Node)},
		},
	}
	if _, err := w.Client.AppsV1().Deployments(systemSpace).Create(ctx, deployment, metav1.CreateOptions{}); err != nil {
		return err
	}
	return w.clusterDNSRuns(ctx)
}

func dnsPod(node string) corev1.PodSpec {
	volume := corev1.Volume{Name: "config-volume"}
	volume.ConfigMap = &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: dnsName}}
	healthy := corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/health", Port: intstr.FromInt32(8080)}}
	return corev1.PodSpec{
		NodeSelector: map[string]string{corev1.LabelHostname: node}, DNSPolicy: corev1.DNSDefault, Volumes: []corev1.Volume{volume},
		Containers: []corev1.Container{{
			Name: dnsName, Image: dnsImage, Args: []string{"-conf", "/etc/coredns/Corefile"},
			VolumeMounts:   []corev1.VolumeMount{{Name: volume.Name, MountPath: "/etc/coredns", ReadOnly: true}},
			LivenessProbe:  &corev1.Probe{ProbeHandler: healthy, InitialDelaySeconds: 60, TimeoutSeconds: 5},
			ReadinessProbe: &corev1.Probe{ProbeHandler: healthy},
		}},
	}
}

// clusterDNSRuns waits until it is Ready.
func (w *World) clusterDNSRuns(ctx context.Context) error {
	return eventually(ctx, "deployment "+dnsName+" is available", func() bool {
		d, err := w.Client.AppsV1().Deployments(systemSpace).Get(ctx, dnsName, metav1.GetOptions{})
		return err == nil && d.Status.AvailableReplicas > 0 && d.Status.UnavailableReplicas == 0
	})
}

// newClusterDNS recreates its pod: a pod keeps the resolver from its creation.
func (w *World) newClusterDNS(ctx context.Context) error {
	ofDNS := metav1.ListOptions{LabelSelector: labels.FormatLabels(dnsLabels)}
	return w.Client.CoreV1().Pods(systemSpace).DeleteCollection(ctx, metav1.DeleteOptions{}, ofDNS)
}

func (w *World) noClusterDNS(ctx context.Context) error {
	return errors.Join(
		w.Client.AppsV1().Deployments(systemSpace).Delete(ctx, dnsName, metav1.DeleteOptions{}),
		w.Client.CoreV1().ConfigMaps(systemSpace).Delete(ctx, dnsName, metav1.DeleteOptions{}))
}
