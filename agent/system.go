package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// system has the calls to a running machine. Tests replace them.
type system struct {
	now        func() time.Time
	running    func() time.Duration // monotonic, since boot
	statfs     func(path string) (space, error)
	kernelTime func() (synchronised bool, offset time.Duration, err error)
	kernelLog  func(*Host) (io.ReadCloser, error)
	filter     func(*Host) ([]nodereport.Backend, error) // packet filter rules
	user       func() int                                // user ID of this process
	inotify    func() error                              // creates and closes an inotify instance
	// dial connects to a network address or to a socket of the node.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// space is the size of a file system.
type space struct {
	bytes, bytesFree, bytesAvailable uint64
	inodes, inodesFree               uint64
}

var errNotMachine = errors.New("the folder is not the root of a running system")

// folderSystem returns a system whose calls fail, for a folder that is not a machine.
func folderSystem() system {
	return system{
		now:        time.Now,
		running:    running,
		statfs:     func(string) (space, error) { return space{}, errNotMachine },
		kernelTime: func() (bool, time.Duration, error) { return false, 0, errNotMachine },
		user:       os.Geteuid,
		inotify:    func() error { return errNotMachine },
		filter:     func(*Host) ([]nodereport.Backend, error) { return nil, errNotMachine },
		kernelLog:  func(h *Host) (io.ReadCloser, error) { return h.open("/dev/kmsg") },
		dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if network != "unix" {
				return nil, errNotMachine
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
}
