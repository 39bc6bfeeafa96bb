package facts

import (
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// Largest adds to the claim what uses most of the full file system, if sizes are listed: the deepest file or folder with at least
// half of its parent.
func Largest(c triage.Claim, r *nodereport.Report, fs nodereport.Filesystem, of func(nodereport.Size) uint64) triage.Claim {
	var most nodereport.Size
	for _, s := range r.Sizes {
		if of(s) > of(most) && s.Path != fs.Mount && below(s.Path, fs.Mount) && onDisk(r, s.Path, fs) {
			most = s
		}
	}
	if of(most) == 0 {
		return c
	}
	for inner := true; inner; {
		inner = false
		for _, s := range r.Sizes {
			if s.Path != most.Path && below(s.Path, most.Path) && of(s)*2 >= of(most) && of(s) > 0 {
				most, inner = s, true
			}
		}
	}
	c.Summary += "; the largest listed folder is " + most.Path
	c.Evidence = append(c.Evidence[:len(c.Evidence):len(c.Evidence)], ReportRef(r, most.Ref, most.Path, "%s", most.Path))
	return c
}

// below reports whether a path is a folder or is in it.
func below(p, folder string) bool {
	return strings.HasPrefix(p+"/", strings.TrimSuffix(folder, "/")+"/")
}

// onDisk reports whether a path is on the device of the file system. A device may be mounted at several places.
func onDisk(r *nodereport.Report, p string, fs nodereport.Filesystem) bool {
	at := fs
	for _, other := range r.Filesystems {
		if below(p, path.Clean(other.Mount)) && len(other.Mount) > len(at.Mount) {
			at = other
		}
	}
	return at.Mount == fs.Mount || strings.HasPrefix(at.Device, "/") && at.Device == fs.Device
}
