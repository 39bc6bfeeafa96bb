package agent

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// certificates reads the validity of the kubelet certificates, of its CA, and of the control plane certificates if the
// node has some. It reads no keys.
func certificates(_ context.Context, h *Host, r *nodereport.Report) error {
	s := h.kubelet()
	read := 0
	add := func(name, use string) {
		data, err := h.read(name, maxFile)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				gap(r, "certificate "+name, err, shell.Format("openssl x509 -dates -noout -in {file}", name))
			}
			return
		}
		list := parseCertificates(data)
		if len(list) > 0 {
			read++
		}
		for i, c := range list {
			if i > 0 && use != "ca" {
				break // the rest of the chain is the CA
			}
			r.Certificates = append(r.Certificates, certificate(name, use, c))
		}
	}
	add(path.Join(s.certDir, "kubelet-client-current.pem"), "kubelet-client")
	if s.config.TLSCertFile != "" {
		add(s.config.TLSCertFile, "kubelet-serving")
	} else if h.first([]string{path.Join(s.certDir, "kubelet-server-current.pem")}) != "" {
		add(path.Join(s.certDir, "kubelet-server-current.pem"), "kubelet-serving")
	} else {
		add(path.Join(s.certDir, "kubelet.crt"), "kubelet-serving")
	}
	if ca := s.config.Authentication.X509.ClientCAFile; ca != "" {
		add(ca, "ca")
	}
	for _, dir := range []string{"/etc/kubernetes/pki", "/etc/kubernetes/pki/etcd"} {
		entries, err := h.list(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			gap(r, "certificates in "+dir, err, shell.Format("ls {folder}", dir))
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if strings.HasSuffix(name, ".crt") && name != s.config.Authentication.X509.ClientCAFile {
				use := ""
				if strings.HasSuffix(name, "ca.crt") {
					use = "ca"
				}
				add(name, use)
			}
		}
	}
	if s.kubeconfig != "" {
		if k, err := h.readKubeconfig(s.kubeconfig); err == nil && len(k.certificate) > 0 {
			read++
			r.Certificates = append(r.Certificates, certificate(s.kubeconfig, "kubelet-client", k.certificate[0]))
		}
	}
	for _, name := range h.otherKubeconfigs() {
		if k, err := h.readKubeconfig(name); err == nil && len(k.certificate) > 0 && name != s.kubeconfig {
			r.Certificates = append(r.Certificates, certificate(name, "", k.certificate[0]))
		}
	}
	if read == 0 {
		return errors.New("no kubelet certificate found in the usual places")
	}
	return nil
}

// otherKubeconfigs returns the kubeconfig files of control plane components, kube-proxy and kubelet bootstrap.
func (h *Host) otherKubeconfigs() []string {
	out := []string{"/var/lib/kube-proxy/kubeconfig", "/var/lib/kube-proxy/kubeconfig.conf", "/var/lib/kubelet/bootstrap-kubeconfig", "/etc/kubernetes/bootstrap-kubelet.conf"}
	entries, _ := h.list("/etc/kubernetes") // if it is unreadable, the kubeconfig of the kubelet reports that
	for _, e := range entries {
		if name := path.Join("/etc/kubernetes", e.Name()); strings.HasSuffix(name, ".conf") && name != out[3] && len(out) < 20 {
			out = append(out, name)
		}
	}
	return out
}

func certificate(name, use string, c *x509.Certificate) nodereport.Certificate {
	return nodereport.Certificate{
		Path: name, Subject: wording.Cut(c.Subject.String(), 200), Issuer: wording.Cut(c.Issuer.String(), 200), NotBefore: c.NotBefore.UTC(), NotAfter: c.NotAfter.UTC(), Use: use,
		Ref: fmt.Sprintf("%s: notBefore=%s notAfter=%s", name, c.NotBefore.UTC().Format(time.RFC3339), c.NotAfter.UTC().Format(time.RFC3339)),
	}
}
