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
	f := &certificateFiles{h: h, r: r}
	s := h.kubelet()
	f.add(path.Join(s.certDir, "kubelet-client-current.pem"), "kubelet-client")
	f.add(h.servingCertificate(s), "kubelet-serving")
	ca := s.config.Authentication.X509.ClientCAFile
	if ca != "" {
		f.add(ca, "ca")
	}
	for _, dir := range []string{"/etc/kubernetes/pki", "/etc/kubernetes/pki/etcd"} {
		f.addFolder(dir, ca)
	}
	if s.kubeconfig != "" && f.addKubeconfig(s.kubeconfig, "kubelet-client") {
		f.read++
	}
	for _, name := range h.otherKubeconfigs() {
		if name != s.kubeconfig {
			f.addKubeconfig(name, "")
		}
	}
	if f.read == 0 {
		return errors.New("no kubelet certificate found in the usual places")
	}
	return nil
}

// certificateFiles adds the certificates in files to a report.
type certificateFiles struct {
	h    *Host
	r    *nodereport.Report
	read int // files with certificates
}

func (f *certificateFiles) add(name, use string) {
	data, err := f.h.read(name, maxFile)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			gap(f.r, "certificate "+name, err, shell.Format("openssl x509 -dates -noout -in {file}", name))
		}
		return
	}
	list := parseCertificates(data)
	if len(list) > 0 {
		f.read++
	}
	for i, c := range list {
		if i > 0 && use != "ca" {
			break // the rest of the chain is the CA
		}
		f.r.Certificates = append(f.r.Certificates, certificate(name, use, c))
	}
}

// addFolder adds the certificates in a folder of the control plane, without one that was added before.
func (f *certificateFiles) addFolder(dir, added string) {
	entries, err := f.h.list(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		gap(f.r, "certificates in "+dir, err, shell.Format("ls {folder}", dir))
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !strings.HasSuffix(name, ".crt") || name == added:
		case strings.HasSuffix(name, "ca.crt"):
			f.add(name, "ca")
		default:
			f.add(name, "")
		}
	}
}

// addKubeconfig adds the client certificate in a kubeconfig, and reports whether it has one.
func (f *certificateFiles) addKubeconfig(name, use string) bool {
	k, err := f.h.readKubeconfig(name)
	if err != nil || len(k.certificate) == 0 {
		return false
	}
	f.r.Certificates = append(f.r.Certificates, certificate(name, use, k.certificate[0]))
	return true
}

// servingCertificate returns the file with the serving certificate of the kubelet: the configured one, the rotated one, or the
// one that the kubelet signs itself.
func (h *Host) servingCertificate(s settings) string {
	rotated := path.Join(s.certDir, "kubelet-server-current.pem")
	switch {
	case s.config.TLSCertFile != "":
		return s.config.TLSCertFile
	case h.first([]string{rotated}) != "":
		return rotated
	}
	return path.Join(s.certDir, "kubelet.crt")
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
