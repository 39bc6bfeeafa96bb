package paste

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

// certificate collects the output of openssl x509, in either form: "notAfter=..." or the text of the whole certificate.
type certificate struct {
	p    *page
	cert nodereport.Certificate
	any  bool
	uses []string
}

// startCertificate starts at any line of openssl output.
func startCertificate(p *page, l line) reader {
	c := &certificate{p: p}
	words := p.command().words
	for i, w := range words {
		if w == "-in" && i+1 < len(words) {
			c.cert.Path = words[i+1]
		}
	}
	if ofKubeconfig(words) {
		c.cert.Use = "kubeconfig"
	}
	if !c.take(l) {
		return nil
	}
	return c
}

var opensslText = map[string]bool{
	"Certificate": true, "Data": true, "Version": true, "Serial Number": true, "Signature Algorithm": true,
	"Subject Public Key Info": true, "Public Key Algorithm": true, "Public-Key": true, "Modulus": true, "Exponent": true,
	"X509v3 extensions": true, "Signature Value": true, "Validity": true,
}

// shortKeys are the keys of openssl x509 -noout with -dates, -subject and -issuer, with those of -text.
var shortKeys = map[string]string{
	"notBefore": "Not Before", "notAfter": "Not After", "subject": "Subject", "subject ": "Subject", "issuer": "Issuer", "issuer ": "Issuer",
}

func (c *certificate) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if key, value, _ := strings.Cut(text, "="); shortKeys[key] != "" {
		return c.set(shortKeys[key], value, l)
	}
	key, value, ok := splitKey(text)
	key = strings.TrimSpace(key)
	switch {
	case ok && c.isField(key, value):
		return c.set(key, value, l)
	case ok && opensslText[key], text == "Validity":
		c.any = true
		return true
	}
	if !c.any || indent(l.text) == 0 {
		return false
	}
	if strings.Contains(text, "TLS Web ") || text == "CA:TRUE" || strings.HasPrefix(text, "CA:TRUE,") {
		c.uses = append(c.uses[:min(len(c.uses), 20)], text)
	}
	return true // keys, signatures and extensions
}

// isField reports whether a line of the text form is a field that is read. The first names need the form of a certificate's name.
func (c *certificate) isField(key, value string) bool {
	switch key {
	case "Not Before", "Not After":
		return true
	case "Issuer", "Subject":
		return c.any || strings.Contains(value, "=")
	}
	return false
}

func (c *certificate) set(key, value string, l line) bool {
	switch key {
	case "Not Before":
		return c.date(&c.cert.NotBefore, value, l)
	case "Not After":
		return c.date(&c.cert.NotAfter, value, l)
	case "Subject":
		return c.field(&c.cert.Subject, value, l)
	}
	return c.field(&c.cert.Issuer, value, l)
}

// date sets a time once. A second value belongs to another certificate.
func (c *certificate) date(to *time.Time, value string, l line) bool {
	t, err := time.Parse("Jan _2 15:04:05 2006 MST", strings.TrimSpace(value))
	if err != nil {
		return false
	}
	if !to.IsZero() {
		c.flush()
	}
	c.any = true
	*to = t.UTC()
	c.cert.Ref = quote(l)
	return true
}

func (c *certificate) field(to *string, value string, l line) bool {
	if *to != "" {
		c.flush()
	}
	c.any = true
	*to = wording.Cut(strings.TrimSpace(value), 500)
	if c.cert.Ref == "" {
		c.cert.Ref = quote(l)
	}
	return true
}

func (c *certificate) flush() {
	cert := c.cert
	if !cert.NotAfter.IsZero() || !cert.NotBefore.IsZero() {
		cert.Use = cmp.Or(cert.Use, certificateUse(cert.Path, cert.Subject, c.uses))
		if c.p.text.room("certificates", line{text: cert.Ref}) {
			r := c.p.node()
			r.Certificates = append(r.Certificates, cert)
		}
	}
	c.cert, c.uses = nodereport.Certificate{Path: cert.Path}, nil
}

// ofKubeconfig reports whether the command reads a user's kubeconfig: kubectl config view, piped to openssl.
func ofKubeconfig(words []string) bool {
	at := slices.Index(words, "kubectl")
	return at >= 0 && slices.Contains(words[at:], "config") && slices.Contains(words[at:], "view")
}

func (c *certificate) close(ending) { c.flush() }

// certificateUse returns the purpose of a certificate: by the file names of kubelet and kubeadm, else by its extensions.
func certificateUse(file, subject string, uses []string) string {
	base := path.Base(file)
	switch {
	case strings.HasPrefix(base, "kubelet-client"):
		return "kubelet-client"
	case strings.HasPrefix(base, "kubelet-server"), base == "kubelet.crt":
		return "kubelet-serving"
	case base == "ca.crt", base == "ca.pem", strings.Contains(strings.Join(uses, " "), "CA:TRUE"):
		return "ca"
	}
	if !strings.Contains(subject, "system:nodes") {
		return ""
	}
	all := strings.Join(uses, " ")
	client, server := strings.Contains(all, "TLS Web Client"), strings.Contains(all, "TLS Web Server")
	switch {
	case client && !server:
		return "kubelet-client"
	case server && !client:
		return "kubelet-serving"
	}
	return ""
}

var kubeadmDate = lazyregexp.New(`^[A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2} UTC$`)

// kubeadmCertificateRow reads kubeadm certs check-expiration: "Dec 30, 2020 23:36 UTC".
func kubeadmCertificateRow(t *table, c cells, l line) bool {
	name, authority := c["CERTIFICATE"], !t.cols.has("CERTIFICATE")
	if authority {
		name = c["CERTIFICATEAUTHORITY"]
	}
	expires := c["EXPIRES"]
	if strings.HasPrefix(name, "!MISSING!") {
		return true
	}
	if !isName(name) || !kubeadmDate.MatchString(expires) {
		return false
	}
	at, err := time.Parse("Jan 02, 2006 15:04 MST", expires)
	if err != nil {
		return false
	}
	if t.p.text.room("certificates", l) {
		cert := nodereport.Certificate{Path: name, NotAfter: at.UTC(), Ref: quote(l)}
		if authority {
			cert.Use = "ca"
		}
		r := t.p.node()
		r.Certificates = append(r.Certificates, cert)
	}
	return true
}
