//go:build linux

package verify_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab"
)

// The nodes of the lab are missing three things for a canary: a pod network between nodes, a service for the API
// server, and a name server. The test program provides the last two; it runs in each machine.
const (
	apiService = "10.96.0.1"  // the service that every API server creates
	dnsService = "10.96.0.10" // where kubelets of the lab direct their pods
	apiName    = "kubernetes.default.svc.cluster.local"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "services" {
		if err := services(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// network gives the machines pod addresses and routes between them.
func network(ctx context.Context, machines []*lab.Machine) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for i, m := range machines {
		text, err := os.ReadFile(m.Path(lab.CNIConfig))
		if err != nil {
			return err
		}
		if err := m.Write(lab.CNIConfig, strings.ReplaceAll(string(text), "10.244.0.0/24", pods(i))); err != nil {
			return err
		}
		ways := [][]string{{"ip", "addr", "add", apiService + "/32", "dev", "lo"}, {"ip", "addr", "add", dnsService + "/32", "dev", "lo"}}
		for j, other := range machines {
			if i != j {
				ways = append(ways, []string{"ip", "route", "add", pods(j), "via", other.Address})
			}
		}
		for _, way := range ways {
			if _, err := m.Run(ctx, way...); err != nil {
				return err
			}
		}
		if err := m.Command(context.WithoutCancel(ctx), self, "services").Start(); err != nil { // ends with the machine
			return err
		}
	}
	return nil
}

func pods(i int) string { return fmt.Sprintf("10.244.%d.0/24", i+1) }

// services runs in a machine: the service of the API server, and a name server for its name.
func services() error {
	api, err := net.Listen("tcp", apiService+":443")
	if err != nil {
		return err
	}
	names, err := net.ListenPacket("udp", dnsService+":53")
	if err != nil {
		return err
	}
	go answerNames(names)
	for {
		conn, err := api.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			there, err := net.Dial("tcp", strings.TrimPrefix(lab.MachineServer, "https://"))
			if err != nil {
				return
			}
			defer there.Close()
			go io.Copy(there, conn)
			io.Copy(conn, there)
		}()
	}
}

// answerNames answers questions for addresses of the single name (RFC 1035, section 4).
func answerNames(names net.PacketConn) {
	buf := make([]byte, 512)
	for {
		n, from, err := names.ReadFrom(buf)
		if err != nil {
			return
		}
		q := buf[:n]
		name, end := question(q)
		if end < 0 {
			continue
		}
		answer := append([]byte{q[0], q[1], 0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
		switch {
		case name != apiName:
			answer[3] = 0x83 // no such name
		case binary.BigEndian.Uint16(q[end-4:]) == 1: // A
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4)
			answer = append(answer, net.ParseIP(apiService).To4()...)
		}
		_, _ = names.WriteTo(answer, from)
	}
}

// question returns the requested name and the end of the question; -1: there is none.
func question(q []byte) (string, int) {
	var labels []string
	at := 12
	for at < len(q) && q[at] != 0 {
		next := at + 1 + int(q[at])
		if next > len(q) {
			return "", -1
		}
		labels = append(labels, string(q[at+1:next]))
		at = next
	}
	if at+5 > len(q) {
		return "", -1
	}
	return strings.ToLower(strings.Join(labels, ".")), at + 5
}
