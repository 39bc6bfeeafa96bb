package agent

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/wording"
)

// settings are the paths and flags of the kubelet on this node.
type settings struct {
	pid        int // 0: not running
	node       string
	rootDir    string
	certDir    string
	kubeconfig string
	configFile string
	config     kubeletConfig
	configErr  error // why the configuration file could not be read
	endpoint   string
	flags      map[string]string
}

// kubeletConfig has the KubeletConfiguration fields with paths and ports (kubernetes
// staging/src/k8s.io/kubelet/config/v1beta1/types.go, 1.36.3).
type kubeletConfig struct {
	ContainerRuntimeEndpoint string   `json:"containerRuntimeEndpoint"`
	HealthzPort              *int     `json:"healthzPort"`
	HealthzBindAddress       string   `json:"healthzBindAddress"`
	Port                     int      `json:"port"`
	FailSwapOn               *bool    `json:"failSwapOn"`
	CgroupDriver             string   `json:"cgroupDriver"`
	RotateCertificates       *bool    `json:"rotateCertificates"`
	ServerTLSBootstrap       *bool    `json:"serverTLSBootstrap"`
	TLSCertFile              string   `json:"tlsCertFile"`
	StaticPodPath            string   `json:"staticPodPath"`
	MaxPods                  int      `json:"maxPods"`
	ClusterDNS               []string `json:"clusterDNS"`
	ClusterDomain            string   `json:"clusterDomain"`
	Authentication           struct {
		X509 struct {
			ClientCAFile string `json:"clientCAFile"`
		} `json:"x509"`
	} `json:"authentication"`
	EvictionHard   map[string]string `json:"evictionHard"`
	ResolverConfig string            `json:"resolvConf"`
}

// Paths of kubelets from kubeadm, the clouds, k3s and rke2.
var (
	usualConfigs     = []string{"/var/lib/kubelet/config.yaml", "/etc/kubernetes/kubelet/config.json", "/etc/kubernetes/kubelet/kubelet-config.json", "/etc/default/kubeletconfig.json", "/home/kubernetes/kubelet-config.yaml"}
	usualKubeconfigs = []string{"/etc/kubernetes/kubelet.conf", "/var/lib/kubelet/kubeconfig", "/var/lib/rancher/k3s/agent/kubelet.kubeconfig", "/var/lib/rancher/rke2/agent/kubelet.kubeconfig", "/etc/kubernetes/kubelet.kubeconfig"}
)

func findSettings(h *Host) settings {
	s := settings{flags: map[string]string{}}
	for p := range h.eachProcess() {
		if name := path.Base(p.args[0]); name == "kubelet" || name == "hyperkube" {
			s.pid, s.flags = p.pid, flagsOf(p.args[1:])
			break
		}
	}
	if s.pid == 0 {
		s.flags = flagsOf(strings.Fields(strings.Trim(afterEquals(h.text("/var/lib/kubelet/kubeadm-flags.env")), `"`)))
	}
	s.rootDir = cmp.Or(s.flags["root-dir"], "/var/lib/kubelet")
	s.certDir = cmp.Or(s.flags["cert-dir"], path.Join(s.rootDir, "pki"))
	s.configFile = cmp.Or(s.flags["config"], h.first(usualConfigs))
	s.kubeconfig = cmp.Or(s.flags["kubeconfig"], h.first(usualKubeconfigs))
	if s.configFile != "" {
		data, err := h.read(s.configFile, maxFile)
		if err == nil {
			if err = yaml.Unmarshal(data, &s.config); err != nil {
				err = fmt.Errorf("read %s: %w", s.configFile, err)
			}
		}
		s.configErr = err
	}
	s.endpoint = cmp.Or(s.flags["container-runtime-endpoint"], s.config.ContainerRuntimeEndpoint)
	if s.endpoint == "" {
		if socket := h.first(components.CRISockets()); socket != "" {
			s.endpoint = "unix://" + socket
		}
	}
	s.node = s.flags["hostname-override"]
	if s.node == "" {
		s.node = nameInCertificate(h, path.Join(s.certDir, "kubelet-client-current.pem"))
	}
	if s.node == "" && s.kubeconfig != "" {
		if k, err := h.readKubeconfig(s.kubeconfig); err == nil {
			s.node = nodeOfCertificates(k.certificate)
		}
	}
	return s
}

// isNode reports whether the machine has any file of a node.
func (h *Host) isNode() bool {
	s := h.kubelet()
	if s.pid != 0 || s.configFile != "" || s.kubeconfig != "" || s.endpoint != "" {
		return true
	}
	return h.first([]string{s.rootDir, "/etc/kubernetes", "/etc/cni/net.d", "/opt/cni/bin", "/etc/containerd", "/etc/crio", "/var/lib/containerd"}) != ""
}

// healthz returns the healthz URL of the kubelet, or "" if it is disabled.
func (s settings) healthz() string {
	port := 10248
	if p := s.config.HealthzPort; p != nil {
		port = *p
	}
	if p, err := strconv.Atoi(s.flags["healthz-port"]); err == nil {
		port = p
	}
	if port == 0 {
		return ""
	}
	return net.JoinHostPort(cmp.Or(s.flags["healthz-bind-address"], s.config.HealthzBindAddress, "127.0.0.1"), strconv.Itoa(port))
}

// port returns the server port of the kubelet.
func (s settings) port() int {
	if p, err := strconv.Atoi(s.flags["port"]); err == nil {
		return p
	}
	return cmp.Or(s.config.Port, 10250)
}

// facts returns the settings for readers of the report.
func (s settings) facts() map[string]string {
	out := map[string]string{}
	add := func(name, value string) {
		if value != "" {
			out[name] = wording.Cut(value, 300)
		}
	}
	add("rootDir", s.rootDir)
	add("config", s.configFile)
	add("kubeconfig", s.kubeconfig)
	add("containerRuntimeEndpoint", s.endpoint)
	add("cgroupDriver", s.config.CgroupDriver)
	add("staticPodPath", s.config.StaticPodPath)
	if s.config.FailSwapOn != nil {
		add("failSwapOn", strconv.FormatBool(*s.config.FailSwapOn))
	}
	if s.config.MaxPods > 0 {
		add("maxPods", strconv.Itoa(s.config.MaxPods))
	}
	for signal, value := range s.config.EvictionHard {
		add("evictionHard."+wording.Cut(signal, 60), value)
	}
	for pair := range strings.SplitSeq(s.flags["eviction-hard"], ",") {
		if signal, value, ok := strings.Cut(pair, "<"); ok {
			add("evictionHard."+wording.Cut(signal, 60), value)
		}
	}
	return out
}

// flagsOf parses --name=value and --name value.
func flagsOf(args []string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(args); i++ {
		name, ok := strings.CutPrefix(args[i], "-")
		if !ok {
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		if !given && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			value = args[i]
		}
		out[name] = value
	}
	return out
}

func afterEquals(s string) string {
	_, s, _ = strings.Cut(s, "=")
	return s
}

// first returns the first of the names that exists on the node.
func (h *Host) first(names []string) string {
	for _, name := range names {
		if p, err := h.path(name); err == nil {
			if _, err := os.Lstat(p); err == nil {
				return name
			}
		}
	}
	return ""
}
