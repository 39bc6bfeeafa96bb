package agent

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

// kubeconfig is the connection of the kubelet to the API server. The key never leaves the machine: it signs one
// request, as the kubelet does.
type kubeconfig struct {
	server      string
	serverName  string
	insecure    bool
	ca          *x509.CertPool // nil: the system CAs
	certificate []*x509.Certificate
	client      *tls.Certificate // nil: none, or unreadable
	clientErr   error
}

type kubeconfigFile struct {
	CurrentContext string `json:"current-context"`
	Clusters       []struct {
		Name    string `json:"name"`
		Cluster struct {
			Server     string `json:"server"`
			ServerName string `json:"tls-server-name"`
			Insecure   bool   `json:"insecure-skip-tls-verify"`
			CA         string `json:"certificate-authority"`
			CAData     string `json:"certificate-authority-data"`
		} `json:"cluster"`
	} `json:"clusters"`
	Contexts []struct {
		Name    string `json:"name"`
		Context struct {
			Cluster string `json:"cluster"`
			User    string `json:"user"`
		} `json:"context"`
	} `json:"contexts"`
	Users []struct {
		Name string `json:"name"`
		User struct {
			Certificate     string `json:"client-certificate"`
			CertificateData string `json:"client-certificate-data"`
			Key             string `json:"client-key"`
			KeyData         string `json:"client-key-data"`
		} `json:"user"`
	} `json:"users"`
}

// readKubeconfig reads the current context of a kubeconfig. A file that it references and that cannot be read leaves a
// part empty, because the address alone is useful.
func (h *Host) readKubeconfig(name string) (*kubeconfig, error) {
	data, err := h.read(name, maxFile)
	if err != nil {
		return nil, err
	}
	var file kubeconfigFile
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read kubeconfig %s: %w", name, err)
	}
	cluster, user := file.current()
	k := &kubeconfig{}
	h.addCluster(k, name, file, cluster)
	if k.server == "" {
		return nil, fmt.Errorf("read kubeconfig %s: it names no server", name)
	}
	k.clientErr = h.addUser(k, name, file, user)
	return k, nil
}

// current returns the names of the cluster and the user of the current context. An only context is current.
func (f kubeconfigFile) current() (cluster, user string) {
	for _, c := range f.Contexts {
		if c.Name == f.CurrentContext || len(f.Contexts) == 1 {
			cluster, user = c.Context.Cluster, c.Context.User
		}
	}
	return cluster, user
}

// addCluster reads the named cluster, or the only one.
func (h *Host) addCluster(k *kubeconfig, name string, file kubeconfigFile, cluster string) {
	for _, c := range file.Clusters {
		if c.Name != cluster && len(file.Clusters) != 1 {
			continue
		}
		k.server, k.serverName, k.insecure = c.Cluster.Server, c.Cluster.ServerName, c.Cluster.Insecure
		if ca, err := h.material(name, c.Cluster.CA, c.Cluster.CAData); err == nil {
			pool := x509.NewCertPool()
			if pool.AppendCertsFromPEM(ca) {
				k.ca = pool
			}
		}
	}
}

// addUser reads the client certificate of the named user, or of the only one.
func (h *Host) addUser(k *kubeconfig, name string, file kubeconfigFile, user string) error {
	for _, u := range file.Users {
		if u.Name != user && len(file.Users) != 1 {
			continue
		}
		certificate, err := h.material(name, u.User.Certificate, u.User.CertificateData)
		if err != nil {
			return err
		}
		k.certificate = parseCertificates(certificate)
		key, err := h.material(name, u.User.Key, u.User.KeyData)
		if err != nil {
			return err
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return fmt.Errorf("read the client certificate of %s: %w", name, err)
		}
		k.client = &pair
	}
	return nil
}

// material returns the content of a file in a kubeconfig, or its inline data.
func (h *Host) material(kubeconfig, file, data string) ([]byte, error) {
	switch {
	case data != "":
		return base64.StdEncoding.DecodeString(data)
	case file == "":
		return nil, errors.New("none is named")
	case !path.IsAbs(file):
		file = path.Join(path.Dir(kubeconfig), file)
	}
	return h.read(file, maxFile)
}

// parseCertificates parses all certificates of a PEM text and skips other blocks.
func parseCertificates(data []byte) []*x509.Certificate {
	var out []*x509.Certificate
	for block, rest := pem.Decode(data); block != nil && len(out) < 500; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// nodeOfCertificates returns the node name in a kubelet client certificate.
func nodeOfCertificates(list []*x509.Certificate) string {
	for _, c := range list {
		if name, ok := strings.CutPrefix(c.Subject.CommonName, "system:node:"); ok {
			return name
		}
	}
	return ""
}

func nameInCertificate(h *Host, file string) string {
	data, err := h.read(file, maxFile)
	if err != nil {
		return ""
	}
	return nodeOfCertificates(parseCertificates(data))
}
