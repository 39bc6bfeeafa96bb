//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Files of a machine that scenarios break.
const (
	KubeletConfig = "/var/lib/kubelet/config.yaml"
	KubeletCert   = "/var/lib/kubelet/pki/kubelet-client-current.pem"
	kubeletConf   = "/etc/kubernetes/kubelet.conf"
	CNIConfig     = "/etc/cni/net.d/10-lab.conflist"
	CNIPlugins    = "/opt/cni/bin"
	StaticPods    = "/etc/kubernetes/manifests"
	RuntimeConfig = "/etc/containerd/config.toml"
)

// Thresholds are small and absolute, so the disk usage of the host does not matter. The transition period is short: by
// default the kubelet reports a resolved pressure for five more minutes.
const kubeletConfiguration = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}
authorization: {mode: Webhook}
cgroupDriver: cgroupfs
cgroupRoot: /CGROUP
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
evictionHard: {memory.available: 100Mi, nodefs.available: 8Mi, nodefs.inodesFree: "30", imagefs.available: 8Mi, imagefs.inodesFree: "30", pid.available: "100"}
evictionPressureTransitionPeriod: 10s
failCgroupV1: false
failSwapOn: false
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
resolvConf: /etc/resolv.conf
staticPodPath: /etc/kubernetes/manifests
`

const runtimeConfiguration = `version = 3
[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'native'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = 'IMAGE'
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ['/opt/cni/bin']
  conf_dir = '/etc/cni/net.d'
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'
`

const cniConfiguration = `{
  "cniVersion": "1.0.0",
  "name": "lab",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "cni0",
      "isGateway": true,
      "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.244.0.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}
    }
  ]
}
`

// install writes the files of a node: configuration, identity, network plugins and the image.
func (m *Machine) install(context.Context) error {
	if err := m.WriteIdentity("system:node:"+m.Name, time.Now().Add(validity)); err != nil {
		return err
	}
	if err := m.WriteServer(MachineServer); err != nil {
		return err
	}
	ca, err := os.ReadFile(m.plane.pki.path("ca", "crt"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"/etc/kubernetes/pki/ca.crt": string(ca),
		KubeletConfig:                kubeletConfiguration,
		RuntimeConfig:                strings.Replace(runtimeConfiguration, "IMAGE", Image, 1),
		CNIConfig:                    cniConfiguration,
	} {
		if err := m.Write(name, m.keeper.configure(m, name, text)); err != nil {
			return err
		}
	}
	for _, plugin := range []string{"bridge", "host-local", "loopback"} {
		data, err := os.ReadFile(filepath.Join(m.plane.bin, plugin))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(m.Path(CNIPlugins), plugin), data, 0o755); err != nil {
			return err
		}
	}
	return writeImage(m.Path("/var/lib/pause.tar"), ImageSpec{
		Name: Image, Entrypoint: []string{"/pause"}, Programs: map[string]string{"pause": filepath.Join(m.plane.bin, "pause")},
	})
}

// Write writes a file of the machine that only root can read.
func (m *Machine) Write(name, text string) error { return m.write(name, text, 0o600) }

// WriteFor writes a file of the machine that other users can read.
func (m *Machine) WriteFor(name, text string) error { return m.write(name, text, 0o644) }

func (m *Machine) write(name, text string, mode os.FileMode) error {
	path := m.Path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)); err != nil {
		return fmt.Errorf("write %s of node %s: %w", name, m.Name, err)
	}
	return nil
}

// WriteIdentity gives the kubelet a client certificate of that user, valid until that time.
func (m *Machine) WriteIdentity(user string, end time.Time) error {
	file := "node-" + m.Name
	if err := m.plane.pki.issueUntil(end, file, user, "system:nodes"); err != nil {
		return err
	}
	var both []byte
	for _, ext := range []string{"crt", "key"} {
		data, err := os.ReadFile(m.plane.pki.path(file, ext))
		if err != nil {
			return err
		}
		both = append(both, data...)
	}
	return m.Write(KubeletCert, string(both))
}

// WriteServer sets the address of the API server for the kubelet.
func (m *Machine) WriteServer(server string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["lab"] = &clientcmdapi.Cluster{Server: server, CertificateAuthority: "/etc/kubernetes/pki/ca.crt"}
	config.AuthInfos["kubelet"] = &clientcmdapi.AuthInfo{ClientCertificate: KubeletCert, ClientKey: KubeletCert}
	config.Contexts["lab"] = &clientcmdapi.Context{Cluster: "lab", AuthInfo: "kubelet"}
	config.CurrentContext = "lab"
	data, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	return m.Write(kubeletConf, string(data))
}
