//go:build linux

package main

import (
	"errors"
	"net"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func kernel() []attempt {
	return []attempt{
		{"mount", func() error { return unix.Mount("none", reports, "tmpfs", 0, "") }},
		{"change-root", func() error { return alone(func() error { return unix.Chroot(host) }) }},
		{"user-namespace", userNamespace},
		{"load-module", func() error { return sys(unix.SYS_INIT_MODULE, 0, 0, 0) }},
		{"bpf", bpf},
		{"perf", perf},
		{"io-uring", func() error { return sys(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&[15]uint64{})), 0) }},
		{"keyring", func() error { return sys(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, keyringOfSession, 0) }},
		{"read-kernel-log", func() error { _, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, make([]byte, 4096)); return err }},
		{"set-clock", setClock},
		{"raw-socket", func() error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) }},
		{"packet-socket", func() error { return socket(unix.AF_PACKET, unix.SOCK_RAW, 0) }},
		{"change-network", changeNetwork},
		{"listen-on-node", listenOnNode},
		{"listen-low-port", func() error { return listen("127.0.0.1:81") }},
	}
}

// keyringOfSession is KEY_SPEC_SESSION_KEYRING, -3.
const keyringOfSession = ^uintptr(2)

func sys(number, a, b, c uintptr) error {
	fd, _, errno := unix.Syscall(number, a, b, c)
	if errno != 0 && number == unix.SYS_INIT_MODULE && errno != unix.EPERM && errno != unix.ENOSYS {
		return nil // loading is permitted; the given data contains no module
	}
	if errno != 0 {
		return errno
	}
	if number == unix.SYS_IO_URING_SETUP {
		return unix.Close(int(fd))
	}
	return nil
}

// userNamespace starts a process in a new user namespace, in which it would have all capabilities.
func userNamespace() error {
	cmd := exec.Command("/proc/self/exe", "nothing")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return cmd.Run()
}

// bpf creates a map of a kind that needs a privilege if unprivileged BPF is disabled.
func bpf() error {
	attr := struct{ kind, key, value, entries uint32 }{2, 4, 4, 1}
	fd, _, errno := unix.Syscall(unix.SYS_BPF, unix.BPF_MAP_CREATE, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
	if errno != 0 {
		return errno
	}
	return unix.Close(int(fd))
}

// perf counts kernel events on one CPU for all processes.
func perf() error {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
	fd, err := unix.PerfEventOpen(&attr, -1, 0, -1, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// setClock sets the clock to its current time.
func setClock() error {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME, &t); err != nil {
		return err
	}
	return unix.ClockSettime(unix.CLOCK_REALTIME, &t)
}

func socket(domain, kind, protocol int) error {
	fd, err := unix.Socket(domain, kind, protocol)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// changeNetwork sets the MTU of the loopback interface to its current value.
func changeNetwork() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFMTU, request); err != nil {
		return err
	}
	return unix.IoctlIfreq(fd, unix.SIOCSIFMTU, request)
}

// listenOnNode listens on the address of the node, for example on the port of the kubelet while the kubelet is down.
func listenOnNode() error {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return err
	}
	for _, a := range addresses {
		if own, ok := a.(*net.IPNet); ok && own.IP.To4() != nil && !own.IP.IsLoopback() {
			return listen(net.JoinHostPort(own.IP.String(), "10259"))
		}
	}
	return errors.New("it has no address")
}

func listen(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}
