//go:build linux

package lab

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// systemd is a machine with a Debian root file system and systemd as its first process.
type systemd struct {
	root string // shared by all machines; each stores its changes in its own folder
}

// systemdFiles are files of such a node that are the same on all.
//
//go:embed systemd
var systemdFiles embed.FS

// systemdBoot enters the cgroups of the machine, which are all that it sees of them, and its namespaces.
const systemdBoot = `set -e
dir=$1 bin=$2 name=$3 root=$4
for group in $5; do echo $$ > "$group/cgroup.procs"; done
exec unshare --mount --net --pid --uts --ipc --cgroup --fork --kill-child sh -c "$6" boot "$dir" "$bin" "$name" "$root"
`

// systemdRoot builds the view of a machine and becomes systemd. Kernel settings belong to the host, so they are
// read-only, except those of the network. Settings that a kubelet writes are files. There are few devices.
const systemdRoot = `set -e
dir=$1 bin=$2 name=$3 lower=$4 root=$1/root
mkdir -p "$root"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mount --bind "$bin" "$root/usr/local/bin"
mount --bind "$dir/opt" "$root/opt"
mount --bind "$dir/log" "$root/var/log"
for folder in kubelet containerd; do
  mkdir -p "$root/var/lib/$folder"
  mount --bind "$dir/lib/$folder" "$root/var/lib/$folder"
done
mount --bind "$root/proc/sys" "$root/proc/sys"
mount --bind "$root/proc/sys/net" "$root/proc/sys/net"
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=${setting%%=*}
  [ -e "$root/proc/sys/$file" ] || continue
  mkdir -p "$dir/sysctl/${file%/*}"
  echo "${setting#*=}" > "$dir/sysctl/$file"
  mount --bind "$dir/sysctl/$file" "$root/proc/sys/$file"
done
mount -o remount,bind,ro "$root/proc/sys"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
node() { mknod -m 666 "$root/dev/$1" "$2" "$3" "$4"; }
node null c 1 3; node zero c 1 5; node full c 1 7; node random c 1 8; node urandom c 1 9; node kmsg c 1 11; node tty c 5 0
node console c 1 3
[ ! -e /dev/fuse ] || node fuse c 10 229
[ ! -e /dev/loop-control ] || node loop-control c 10 237
i=0; while [ $i -lt 64 ]; do node loop$i b 7 $i; i=$((i+1)); done
mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
grep -q '^cgroup2 /sys/fs/cgroup ' /proc/mounts && mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup" || while read -r what where type options rest; do
  case $where in /sys/fs/cgroup/*) mkdir "$root$where";; *) continue;; esac
  case $type in
  cgroup) mount -t cgroup -o "$(echo "$options" | sed 's/^rw,//; s/relatime,//; s/nosuid,//; s/nodev,//; s/noexec,//')" cgroup "$root$where";;
  cgroup2) mount -t cgroup2 cgroup2 "$root$where";;
  esac
done < /proc/mounts
hostname "$name"
echo 1 > /proc/sys/net/ipv4/ip_forward
touch "$dir/booted"
cd "$root"
mkdir -p .before
pivot_root . .before
umount -l /.before
rmdir /.before
exec env -i container=lab PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`

const networkFile = `[Match]
Name=eth0
[Network]
Address=%s/24
Gateway=%s
`

func (s systemd) boot(ctx context.Context, m *Machine) error {
	if err := s.files(m); err != nil {
		return fmt.Errorf("write the files of the machine: %w", err)
	}
	err := m.begin(ctx, "sh", "-c", systemdBoot, "boot", m.dir, m.plane.bin, m.Name, s.root, strings.Join(m.cgroups, " "), systemdRoot)
	if err != nil {
		return err
	}
	return poll(ctx, "systemd has started all", func() error {
		out, err := m.Run(ctx, "timeout", "20", "systemctl", "is-system-running", "--wait")
		if strings.HasPrefix(out, "degraded") { // a unit has failed; units of a node are checked separately
			return nil
		}
		return err
	})
}

// files writes the files of the machine before it boots.
func (s systemd) files(m *Machine) error {
	upper := filepath.Join(m.dir, "upper")
	for _, dir := range []string{"upper/etc/kubernetes/manifests", "upper/etc/cni/net.d", "log/journal"} {
		if err := os.MkdirAll(filepath.Join(m.dir, dir), 0o755); err != nil {
			return err
		}
	}
	write := func(name, text string) error {
		name = filepath.Join(upper, name)
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // it never fails
	err := errors.Join(
		write("etc/machine-id", fmt.Sprintf("%x\n", id)), write("etc/hostname", m.Name+"\n"), write("etc/hosts", "127.0.0.1 localhost\n"+m.Address+" "+m.Name+"\n"),
		write("etc/systemd/network/10-eth0.network", fmt.Sprintf(networkFile, m.Address, hubAddress)))
	if err != nil {
		return err
	}
	return fs.WalkDir(systemdFiles, "systemd", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := systemdFiles.ReadFile(name)
		if err != nil {
			return err
		}
		return write(strings.TrimPrefix(name, "systemd/"), string(text))
	})
}

// address waits until networkd has set it.
func (systemd) address(ctx context.Context, m *Machine) error {
	return poll(ctx, "networkd has set the address", func() error {
		routes, err := m.Run(ctx, "ip", "route")
		if err == nil && !strings.Contains(routes, "default via "+hubAddress) {
			err = fmt.Errorf("the routes are %q", routes)
		}
		return err
	})
}

// configure changes the files for a node whose cgroups systemd manages.
func (systemd) configure(m *Machine, file, text string) string {
	switch file {
	case KubeletConfig:
		if slices.Contains([]string{"1.31", "1.32", "1.33", "1.34", "1.35"}, m.plane.minor) {
			text += "featureGates: {NodeLogQuery: true}\n" // enabled by default since 1.36 (kubernetes pkg/features/kube_features.go)
		}
		return strings.NewReplacer("cgroupDriver: cgroupfs", "cgroupDriver: systemd", "cgroupRoot: /CGROUP\n", "",
			"resolvConf: /etc/resolv.conf", "resolvConf: /run/systemd/resolve/resolv.conf").Replace(text) + "enableSystemLogQuery: true\n"
	case RuntimeConfig:
		return text + "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]\n  SystemdCgroup = true\n"
	}
	return text
}

func (systemd) unit(m *Machine, name string, args ...string) (Unit, error) {
	if name == Kubelet {
		if err := m.Write("/var/lib/kubelet/kubeadm-flags.env", fmt.Sprintf("KUBELET_KUBEADM_ARGS=%q\n", strings.Join(args[3:], " "))); err != nil {
			return nil, err
		}
	}
	_, err := m.Run(context.Background(), "systemctl", "enable", name)
	return service{m: m, name: name}, err
}

func (systemd) enter() []string { return []string{"-m", "-n", "-p", "-u", "-i", "-C"} }

// program copies it to the path that a user would choose.
func (systemd) program(m *Machine, path string) (string, error) {
	const there = "/opt/nodetriage"
	want, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if have, err := os.Stat(m.Path(there)); err == nil && have.Size() == want.Size() && have.ModTime().After(want.ModTime()) {
		return there, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return there, os.WriteFile(m.Path(there), data, 0o755)
}

// showLogs does nothing: the journal has the logs.
func (systemd) showLogs(*Machine) (func(), error) { return func() {}, nil }

func (systemd) off(*Machine) {}
