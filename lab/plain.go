//go:build linux

package lab

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// plain is a machine whose units the lab supervises. Its root file system is that of the host.
type plain struct{}

// plainBoot is the first process of such a machine. It mounts the folders of the lab over the folders of a node, so
// that all paths are the usual ones, and then only reaps orphaned children. Kernel settings that a kubelet writes are
// files, because they would affect the whole host.
const plainBoot = `set -e
dir=$1 bin=$2 name=$3
mount --bind "$bin" /usr/local/bin
mount --bind "$dir/opt" /opt
mount --bind "$dir/lib" /var/lib
mount --bind "$dir/log" /var/log
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$dir/etc,workdir=$dir/work" /etc
mount -t tmpfs tmpfs /run
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=${setting%%=*}
  [ -e "/proc/sys/$file" ] || continue
  mkdir -p "$dir/sysctl/${file%/*}"
  echo "${setting#*=}" > "$dir/sysctl/$file"
  mount --bind "$dir/sysctl/$file" "/proc/sys/$file"
done
hostname "$name"
echo 1 > /proc/sys/net/ipv4/ip_forward
ip link set lo up
echo booted > "$dir/booted"
while :; do sleep 1; done
`

func (plain) boot(ctx context.Context, m *Machine) error {
	return m.begin(ctx, "unshare", "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc",
		"sh", "-c", plainBoot, "boot", m.dir, m.plane.bin, m.Name)
}

func (plain) address(ctx context.Context, m *Machine) error {
	for _, args := range [][]string{
		{"ip", "addr", "add", m.Address + "/24", "dev", "eth0"}, {"ip", "link", "set", "eth0", "up"},
		{"ip", "route", "add", "default", "via", hubAddress},
	} {
		if _, err := m.Run(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// configure puts the cgroups of the kubelet into the cgroup of the machine, because the kubelet sees all cgroups of the
// host.
func (plain) configure(m *Machine, file, text string) string {
	return strings.ReplaceAll(text, "CGROUP", m.cgroup())
}

func (plain) unit(m *Machine, name string, args ...string) (Unit, error) {
	return &unit{name: name, dir: m.dir, args: func() []string { return m.enter(m.Timed(args...)...) }}, nil
}

func (plain) enter() []string { return []string{"-m", "-n", "-p", "-u", "-i"} }

func (plain) program(_ *Machine, path string) (string, error) { return path, nil }

// showLogs links them into /var/log, the usual place on a node without a journal.
func (plain) showLogs(m *Machine) (hide func(), err error) {
	var links []string
	hide = func() {
		for _, link := range links {
			_ = os.Remove(link)
		}
	}
	for name := range m.units {
		link := filepath.Join(m.dir, "log", name+".log")
		if err := os.Link(m.Log(name), link); err != nil {
			return hide, err
		}
		links = append(links, link)
	}
	return hide, nil
}

func (plain) off(m *Machine) {
	for _, u := range m.units {
		if u, ok := u.(*unit); ok {
			u.give()
		}
	}
}
