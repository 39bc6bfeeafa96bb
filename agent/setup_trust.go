package agent

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// trustSetup reads the trusted CAs, as digests of public certificates, and the API server of the kubelet.
func trustSetup(s *setupReader) {
	k := s.h.kubelet()
	for _, name := range []string{k.config.Authentication.X509.ClientCAFile, "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"} {
		if name != "" {
			s.digest(nodereport.SetupTrust, name)
		}
	}
	for _, dir := range []string{"/usr/local/share/ca-certificates", "/etc/pki/ca-trust/source/anchors"} {
		entries, _ := s.h.list(dir) // most nodes have none
		for _, e := range entries {
			if path.Ext(e.Name()) == ".crt" || path.Ext(e.Name()) == ".pem" {
				s.digest(nodereport.SetupTrust, path.Join(dir, e.Name()))
			}
		}
	}
	if k.kubeconfig != "" {
		s.whole(nodereport.SetupTrust, k.kubeconfig, clusterOf)
	}
}

// clusterOf returns the clusters of a kubeconfig, and only the number of users.
func clusterOf(text string) (values, error) {
	var file kubeconfigFile
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		return nil, errors.New("not a valid kubeconfig") // the error may contain a part of a key
	}
	out := values{"current-context": file.CurrentContext}
	for _, c := range file.Clusters {
		name := "cluster." + c.Name + "."
		out[name+"server"] = c.Cluster.Server
		out[name+"tls-server-name"] = c.Cluster.ServerName
		out[name+"certificate-authority"] = c.Cluster.CA
		if c.Cluster.CAData != "" {
			out[name+"certificate-authority-data"] = digest([]byte(c.Cluster.CAData))
		}
		if c.Cluster.Insecure {
			out[name+"insecure-skip-tls-verify"] = "true"
		}
	}
	for name, v := range out {
		if v == "" {
			delete(out, name)
		}
	}
	return out, nil
}

// digest adds a certificate file by its digest. It skips files that contain a key.
func (s *setupReader) digest(area, name string) {
	data, err := s.h.read(name, maxFile)
	if errors.Is(err, fs.ErrNotExist) || strings.Contains(string(data), "PRIVATE KEY") {
		return
	}
	f := nodereport.SetupFile{Path: name, Area: area, Changed: s.changed(name)}
	if err != nil {
		f.Unread = why(err)
		s.add(f, nil)
		return
	}
	s.add(f, values{"digest": digest(data)})
}

// linked returns when the link itself was created.
func (s *setupReader) linked(name string) time.Time {
	entries, err := s.h.list(path.Dir(name))
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == path.Base(name) })
	if err != nil || i < 0 {
		return time.Time{}
	}
	info, err := entries[i].Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Second)
}

// keptPackages are the packages of a node. A star stands for any ending.
var keptPackages = []string{
	"apparmor", "ca-certificates", "chrony", "cloud-init", "conmon", "conntrack", "containerd*", "containernetworking-plugins", "cri-*", "crun", "docker*",
	"ebtables", "ethtool", "firewalld", "ipset", "iptables", "iproute2", "ipvsadm",
	"kubeadm", "kubectl", "kubelet", "kubernetes-cni", "libc6", "libseccomp2", "linux-image-*",
	"libnvidia-container", "moby-*", "multipath-tools", "nfs-common",
	"nftables", "nvidia-*", "open-iscsi", "openssl", "podman", "procps", "runc", "selinux-*", "socat", "systemd*",
	"ufw", "util-linux", "walinuxagent",
}

// maxPackages bounds the reported packages, and maxStatus the size of the dpkg status file.
const (
	maxPackages = 80
	maxStatus   = 16 << 20
)

// packageSetup reads package versions from the dpkg status file. The time of the file list is the time of the
// installation.
func packageSetup(s *setupReader) {
	f, err := s.h.open("/var/lib/dpkg/status")
	if err != nil {
		return // not a dpkg system
	}
	defer f.Close()
	rows := bufio.NewScanner(io.LimitReader(f, maxStatus))
	rows.Buffer(nil, maxFile)
	now, left := map[string]string{}, maxPackages
	for more := true; more && left > 0; {
		more = rows.Scan()
		key, value, _ := strings.Cut(rows.Text(), ": ")
		switch {
		case more && rows.Text() != "":
			if key == "Package" || key == "Version" || key == "Status" || key == "Architecture" {
				now[key] = value
			}
			continue
		case keptPackage(now["Package"]) && now["Version"] != "":
			s.pack(now)
			left--
		}
		clear(now)
	}
}

func keptPackage(name string) bool {
	return slices.ContainsFunc(keptPackages, func(kept string) bool {
		prefix, anyEnding := strings.CutSuffix(kept, "*")
		return name == prefix || anyEnding && strings.HasPrefix(name, prefix)
	})
}

func (s *setupReader) pack(now map[string]string) {
	found := values{"version": now["Version"]}
	if now["Status"] != "install ok installed" {
		found["status"] = now["Status"]
	}
	out := nodereport.SetupFile{Path: "package " + now["Package"], Area: nodereport.SetupPackages}
	for _, list := range []string{now["Package"], now["Package"] + ":" + now["Architecture"]} {
		if t := s.changed(path.Join("/var/lib/dpkg/info", path.Base(list)+".list")); !t.IsZero() {
			out.Changed = t
		}
	}
	s.add(out, found)
}
