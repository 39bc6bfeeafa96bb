//go:build unix

package lab

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/lab/load"
)

// Store opens the etcd of the control plane.
func (c *ControlPlane) Store() (*load.Store, error) { return OpenStore(c.Dir) }

// OpenStore opens the etcd of the control plane that runs in the folder.
func OpenStore(dir string) (*load.Store, error) {
	address, err := os.ReadFile(filepath.Join(dir, "etcd.address"))
	if err != nil {
		return nil, fmt.Errorf("find the control plane's etcd: %w", err)
	}
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, "apiserver.crt"), filepath.Join(dir, "apiserver.key"))
	if err != nil {
		return nil, fmt.Errorf("read the certificate for etcd: %w", err)
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, fmt.Errorf("read the certificate for etcd: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return load.Open(string(address), &tls.Config{Certificates: []tls.Certificate{cert}, RootCAs: pool})
}
