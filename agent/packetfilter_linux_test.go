package agent

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// In a separate network namespace, both kernel interfaces give the rules as iptables-save shows them.
func TestPacketFilter(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("a network of its own needs root")
	}
	for backend, program := range map[string]string{"legacy": "iptables-legacy-restore", "nft": "iptables-nft-restore"} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(program + " is not installed")
			}
			runtime.LockOSThread() // never unlocked: the thread ends with the test
			if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
				t.Skipf("a network of its own: %v", err)
			}
			h := newHost(Options{Root: "/", Signatures: builtin(t)}, realSystem(), newAbsent())
			if got, err := inThread(h); err != nil || got != nil {
				t.Fatalf("of an empty network it says %+v (%v)", got, err)
			}
			cmd := exec.Command(program)
			cmd.Stdin = strings.NewReader(`*filter
:INPUT ACCEPT [0:0]
:FORWARD DROP [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-FORWARD - [0:0]
:KUBE-EMPTY - [0:0]
:DOCKER-USER - [0:0]
-A FORWARD -j KUBE-FORWARD
-A FORWARD -j DOCKER-USER
-A FORWARD -s 10.0.0.0/8 -j ACCEPT
-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
-A KUBE-FORWARD -s 10.244.0.0/16 -j ACCEPT
-A DOCKER-USER -j RETURN
-A INPUT -p tcp --dport 10250 -j DROP
-A OUTPUT -p tcp --dport 6443 -j REJECT
COMMIT
`)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("%s: %v: %s", program, err, out)
			}
			got, err := inThread(h)
			if err != nil {
				t.Fatal(err)
			}
			b := got[backend]
			if b.Rules != 8 || b.Policies["filter FORWARD"] != "DROP" || b.Policies["filter INPUT"] != "ACCEPT" || b.Owners["kube-proxy"] != 2 || b.Owners["docker"] != 1 {
				t.Errorf("it reads %+v", b)
			}
			if b.Drops["filter INPUT"] != 1 || b.Drops["filter OUTPUT"] != 1 || len(b.Drops) != 2 {
				t.Errorf("rules that let nothing pass: %v", b.Drops)
			}
			if want := []string{"KUBE-FORWARD", "DOCKER-USER", "ACCEPT"}; !slices.Equal(b.Forward, want) {
				t.Errorf("FORWARD goes to %v, want %v", b.Forward, want)
			}
		})
	}
}

// A separate network namespace differs from that of the node, in which this test runs.
func TestSameNetwork(t *testing.T) {
	node, err := os.ReadFile("/proc/self/net/netlink")
	if err != nil || kernelSocket(string(node)) == "" {
		t.Fatalf("the table of netlink sockets shows %q (%v)", node, err)
	}
	h, _ := socketHost(t)
	write(t, h, "/proc/1/net/netlink", string(node))
	if err := h.sameNetwork(); err != nil {
		t.Errorf("in the network of the node it says %v", err)
	}
	write(t, h, "/proc/1/net/netlink", "sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n00000000dec5045e 0 0 00000000 0 0 0 2 0 999999999\n")
	if err := h.sameNetwork(); err == nil {
		t.Error("another network counts as the node's")
	}
}

type read struct {
	Rules    int
	Policies map[string]string
	Owners   map[string]int
	Forward  []string
	Drops    map[string]int
}

// inThread reads in the network namespace of the calling thread, whose tables are in its /proc folder.
func inThread(h *Host) (map[string]read, error) {
	names, _ := os.ReadFile("/proc/thread-self/net/ip_tables_names")
	got, err := filterOf(h, strings.Fields(string(names)))
	if len(got) == 0 || err != nil {
		return nil, err
	}
	out := map[string]read{}
	for _, b := range got {
		out[b.Name] = read{b.Rules, b.Policies, b.Owners, b.Forward, b.Drops}
	}
	return out, nil
}
