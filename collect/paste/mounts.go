package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var mountLine = lazyregexp.New(`^(\S+) on (/\S*(?: [^()]*?)?) type ([\w.-]+) \(([^)]*)\)`)

// startMount reads a line of mount.
func startMount(p *page, l line) reader {
	if !strings.Contains(l.text, " on /") {
		return nil
	}
	m := mountLine.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil {
		return nil
	}
	p.addMount(m[1], m[2], m[3], m[4], l)
	return done
}

// outputMounts reads /proc/mounts: DEVICE MOUNT TYPE OPTIONS 0 0.
func outputMounts(p *page) reader {
	return each(func(l line) bool {
		f := strings.Fields(l.text)
		if len(f) != 6 || !strings.HasPrefix(f[1], "/") {
			return false
		}
		p.addMount(f[0], f[1], f[2], f[3], l)
		return true
	})
}

// addMount keeps file systems on disks and servers, and the cgroup hierarchy. The hundreds of mounts of pods and the kernel show
// nothing about a node.
func (p *page) addMount(device, mount, typ, options string, l line) {
	disk := strings.HasPrefix(device, "/dev/") && !strings.HasPrefix(device, "/dev/loop") || strings.Contains(device, ":/")
	if !disk && mount != "/" && !strings.HasPrefix(typ, "cgroup") || strings.Contains(mount, "/kubelet/pods/") {
		return
	}
	readOnly := slices.Contains(strings.Split(options, ","), "ro")
	r := p.node()
	for i := range r.Filesystems {
		if fs := &r.Filesystems[i]; fs.Mount == mount && fs.Device == device {
			fs.Type, fs.ReadOnly = typ, readOnly
			return
		}
	}
	if p.text.room("file systems", l) {
		r.Filesystems = append(r.Filesystems, nodereport.Filesystem{
			Device: device, Mount: mount, Type: typ, ReadOnly: readOnly, BytesUsedPercent: -1, InodesUsedPercent: -1, Ref: quote(l),
		})
	}
}
