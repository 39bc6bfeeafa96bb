package nodes

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Kubelet is data from the kubelet's endpoints, and from the node about its kubelet.
type Kubelet struct {
	Healthz string `json:"healthz,omitempty"`
	Error   string `json:"error,omitempty"` // why there is no answer
	// Files are its file systems by name, in bytes: nodefs, imagefs.
	Files map[string]evidence.FSStat `json:"files,omitempty"`
	// Started is when its process started, with the source: its metrics, its unit, or an event.
	Started   *time.Time `json:"started,omitempty"`
	StartedBy string     `json:"startedBy,omitempty"`
	Unit      *Unit      `json:"unit,omitempty"`
	// Disks are the file systems of the node that kubelet, runtime and logs use, from the node report.
	Disks []Disk `json:"disks,omitempty"`
}

// Unit is the systemd unit of a service.
type Unit struct {
	Name     string     `json:"name"`
	Active   string     `json:"active"`            // active, failed, ...
	Sub      string     `json:"sub,omitempty"`     // running, dead, ...
	Enabled  string     `json:"enabled,omitempty"` // whether it starts at boot
	Since    *time.Time `json:"since"`             // null: unknown
	Restarts int        `json:"restarts"`          // by systemd
}

// Disk is one file system. Percentages are -1 if they were not measured.
type Disk struct {
	Mount      string   `json:"mount"`
	Holds      []string `json:"holds,omitempty"` // its folders of kubelet, runtime and logs
	Bytes      int64    `json:"bytes"`           // size; 0: unknown
	UsedBytes  int      `json:"usedBytesPercent"`
	UsedInodes int      `json:"usedInodesPercent"`
	ReadOnly   bool     `json:"readOnly,omitempty"`
}

// kubelet collects the data about the node's kubelet; nil if there is none.
func (b *builder) kubelet(node string) *Kubelet {
	out := &Kubelet{}
	if k := b.snapshot.Kubelet(node); k != nil {
		out.answers(k)
	}
	for _, r := range b.snapshot.Reports(node) {
		if !r.Away {
			out.report(r)
		}
	}
	for _, e := range slices.Backward(b.snapshot.EventsOf(evidence.NodeSubject(node))) { // the newest first
		if e.Reason == "Starting" && strings.Contains(e.Message, "kubelet") {
			out.started(e.Last, "an event")
			break
		}
	}
	if out.empty() {
		return nil
	}
	return out
}

// answers sets the data from the kubelet's endpoints.
func (k *Kubelet) answers(from *evidence.Kubelet) {
	k.Healthz, k.Error = from.Healthz, from.Error
	seconds, err := strconv.ParseFloat(from.Metrics["process_start_time_seconds"], 64)
	if err == nil && seconds > 0 && seconds < math.MaxInt32*2 {
		k.started(time.Unix(int64(seconds), 0), "its metrics")
	}
	if from.Stats != nil {
		k.files(from.Stats)
	}
}

// empty reports whether there is no data about the kubelet.
func (k *Kubelet) empty() bool {
	answered := k.Healthz != "" || k.Error != ""
	measured := k.Disks != nil || k.Files != nil
	return !answered && !measured && k.Started == nil && k.Unit == nil
}

// started keeps the first value, because the sources are called from the most to the least exact.
func (k *Kubelet) started(at time.Time, by string) {
	if k.Started == nil && !at.IsZero() {
		k.Started, k.StartedBy = evidence.Stamp(at), by
	}
}

func (k *Kubelet) files(s *evidence.KubeletStats) {
	for name, fs := range map[string]*evidence.FSStat{"nodefs": s.NodeFS, "imagefs": s.ImageFS} {
		if fs != nil {
			if k.Files == nil {
				k.Files = map[string]evidence.FSStat{}
			}
			k.Files[name] = *fs
		}
	}
}

func (k *Kubelet) report(r *nodereport.Report) {
	if r.Kubelet != nil && k.Healthz == "" {
		k.Healthz, k.Error = r.Kubelet.Healthz, cmp.Or(k.Error, r.Kubelet.Error)
	}
	for _, u := range r.Units {
		if k.Unit == nil && (u.Name == "kubelet.service" || u.Name == "kubelet") {
			k.Unit = &Unit{u.Name, u.Active, u.Sub, u.Enabled, evidence.Stamp(u.Since), u.Restarts}
			if u.Active == "active" {
				k.started(u.Since, "its unit")
			}
		}
	}
	for _, f := range r.Filesystems {
		same := func(d Disk) bool { return d.Mount == f.Mount }
		if len(f.Holds) == 0 && f.Mount != "/" || slices.ContainsFunc(k.Disks, same) || len(k.Disks) == maxDisks {
			continue
		}
		k.Disks = append(k.Disks, Disk{
			Mount: f.Mount, Holds: f.Holds, Bytes: int64(f.Bytes), ReadOnly: f.ReadOnly,
			UsedBytes: used(f.Bytes, f.BytesFree, f.BytesUsedPercent), UsedInodes: used(f.Inodes, f.InodesFree, f.InodesUsedPercent),
		})
	}
}

// maxDisks limits the file systems of one node.
const maxDisks = 12

// used returns a percentage: as it was printed, else from the totals; -1: not measured.
func used(all, free uint64, printed int) int {
	switch {
	case printed >= 0 && (printed > 0 || all > 0):
		return printed
	case all > 0 && free <= all:
		return int(math.Round(100 * (1 - float64(free)/float64(all))))
	}
	return -1
}
