package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// RotationFailed returns the failed unit that rotates the logs on that file system, or nil.
func RotationFailed(r *nodereport.Report, fs nodereport.Filesystem) *nodereport.Unit {
	if !holdsLogs(r, fs.Mount) {
		return nil
	}
	i := slices.IndexFunc(r.Units, func(u nodereport.Unit) bool { return u.Name == "logrotate.service" && u.Active == "failed" })
	if i < 0 {
		return nil
	}
	return &r.Units[i]
}

// holdsLogs reports whether the mount contains /var/log.
func holdsLogs(r *nodereport.Report, mount string) bool {
	const logs = "/var/log/"
	above := func(mount string) bool { return strings.HasPrefix(logs, strings.TrimSuffix(mount, "/")+"/") }
	return above(mount) && !slices.ContainsFunc(r.Filesystems, func(other nodereport.Filesystem) bool {
		return len(other.Mount) > len(mount) && above(other.Mount)
	})
}
