package agent

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// Bounds for saved evidence: time, size of one part, and size of all parts before compression.
const (
	saveLimit  = 15 * time.Second
	partLimit  = 3 * time.Second
	maxPart    = 4 << 20
	maxSaved   = 19 << 20
	maxStacks  = 200
	maxSaveLog = 1 << 20
)

// part is one saved item.
type part struct {
	name string
	read func(context.Context, *Host, io.Writer) error
}

// tables are kernel tables that a reboot clears.
var tables = []string{
	"/proc/1/mountinfo", "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io", "/proc/meminfo", "/proc/vmstat", "/proc/buddyinfo", "/proc/slabinfo",
	"/proc/diskstats", "/proc/loadavg", "/proc/stat", "/proc/modules", "/proc/cgroups", "/proc/swaps", "/proc/locks", "/proc/1/net/tcp", "/proc/1/net/tcp6", "/proc/1/net/udp",
	"/proc/1/net/unix", "/proc/1/net/dev", "/proc/1/net/route", "/proc/1/net/ipv6_route", "/proc/1/net/arp", "/proc/1/net/snmp", "/proc/1/net/netstat", "/proc/1/net/sockstat",
	"/proc/1/net/softnet_stat", "/proc/1/net/ip_vs",
}

// saved returns the parts, the most volatile first, because the time may run out.
func saved() []part {
	return []part{
		{"dmesg.log", saveKernelLog},
		{nodereport.ForPeople + "/processes.txt", saveProcesses},
		{nodereport.ForPeople + "/kernel-stacks.txt", saveStacks},
		{nodereport.ForPeople + "/tables.txt", saveTables},
		{"journal.log", saveJournal},
		{"logs/", nil}, // one part per file
	}
}

// Kept is the evidence gathered before a reboot, in memory: at most maxSaved.
type Kept struct {
	files   []file
	left    int
	missing []string
	at      time.Time
}

type file struct{ name, text string }

// Gather reads what a reboot or a reimage destroys. The archive lists what could not be read, and hanging parts are
// abandoned. It can run in parallel to a snapshot.
func (a *Agent) Gather(ctx context.Context) *Kept {
	ctx, cancel := context.WithTimeout(ctx, saveLimit)
	defer cancel()
	host := newHost(a.opt, a.system, a.absent)
	k := &Kept{left: maxSaved, at: host.now}
	keep := func(p part) {
		text, err := a.part(ctx, host, p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			k.missing = append(k.missing, p.name+": "+why(err))
		}
		if text != "" {
			k.add(p.name, text)
		}
	}
	for _, p := range saved() {
		if p.read != nil {
			keep(p)
			continue
		}
		for _, log := range plainLogs() {
			keep(logPart(log))
		}
	}
	return k
}

func (k *Kept) add(name, text string) {
	if len(text) > min(k.left, maxPart) {
		text = text[len(text)-min(k.left, maxPart):] // the newest lines are at the end
	}
	k.left -= len(text)
	k.files = append(k.files, file{name, text})
}

// Write writes the evidence and the report as an archive that diagnose reads. hide removes secrets from a text.
func (k *Kept) Write(to io.Writer, report *nodereport.Report, hide func(string) string) error {
	data, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	files := append([]file{{"node-report.json", string(data)}}, k.files...)
	if len(k.missing) > 0 {
		files = append(files, file{nodereport.ForPeople + "/not-saved.txt", strings.Join(k.missing, "\n") + "\n"})
	}
	z := gzip.NewWriter(to)
	w := tar.NewWriter(z)
	for _, f := range files {
		text := hide(f.text)
		head := &tar.Header{Name: path.Join("node-"+strings.Map(plainName, report.Node), f.name), Mode: 0o600, Size: int64(len(text)), ModTime: k.at, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(head); err != nil {
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

// plainName maps the name of a node to a safe folder name.
func plainName(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '.':
		return r
	}
	return '_'
}

// part reads one part with a timeout. It keeps the output until then.
func (a *Agent) part(ctx context.Context, h *Host, p part) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, partLimit)
	defer cancel()
	out := &bounded{}
	failed := make(chan error, 1)
	_, back := a.absent.within(ctx, "save "+p.name, partLimit+500*time.Millisecond, func() { failed <- p.read(ctx, h, out) })
	if !back {
		return out.close(), errors.New("it did not return in time")
	}
	return out.close(), <-failed
}

func saveKernelLog(ctx context.Context, h *Host, to io.Writer) error {
	log, err := h.system.kernelLog(h)
	if err != nil {
		return err
	}
	defer log.Close()
	return copyRecords(ctx, log, to, h.booted(), time.Time{})
}

// saveProcesses lists processes like ps. Arguments may be secrets, so it shows only those of node components.
func saveProcesses(ctx context.Context, h *Host, to io.Writer) error {
	fmt.Fprintln(to, "    PID STAT WCHAN                            COMMAND")
	for p := range h.eachProcess() {
		if err := ctx.Err(); err != nil {
			return err
		}
		wchan := h.text("/proc/" + strconv.Itoa(p.pid) + "/wchan")
		if wchan == "" || wchan == "0" {
			wchan = "-"
		}
		command := path.Base(p.args[0])
		if components.OfProcess(command) != nil {
			command = strings.Join(p.args, " ")
		}
		fmt.Fprintf(to, "%7d %-4s %-32s %s\n", p.pid, p.state, wchan, strings.ReplaceAll(command[:min(len(command), 400)], "\n", " "))
	}
	return nil
}

// saveStacks writes the kernel stacks of stuck tasks, and of runtime and kubelet.
func saveStacks(ctx context.Context, h *Host, to io.Writer) error {
	n := 0
	for p := range h.eachProcess() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.state != "D" && components.OfProcess(path.Base(p.args[0])) == nil {
			continue
		}
		tasks, _ := h.list("/proc/" + strconv.Itoa(p.pid) + "/task")
		for _, t := range tasks {
			if n++; n > maxStacks {
				return fmt.Errorf("more than %d tasks: the rest was left out", maxStacks)
			}
			stack := h.text("/proc/" + strconv.Itoa(p.pid) + "/task/" + t.Name() + "/stack")
			fmt.Fprintf(to, "process %d (%s) task %s state %s\n%s\n\n", p.pid, path.Base(p.args[0]), t.Name(), p.state, stack)
		}
	}
	return nil
}

func saveTables(ctx context.Context, h *Host, to io.Writer) error {
	for _, name := range tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := h.read(name, 512<<10)
		if err == nil {
			fmt.Fprintf(to, "==> %s <==\n%s\n", name, data)
		}
	}
	return nil
}

func saveJournal(ctx context.Context, h *Host, to io.Writer) error {
	names, err := h.journalFiles()
	if err != nil || len(names) == 0 {
		return err
	}
	return h.copyJournals(ctx, names, to)
}

// logPart returns the part for the recent end of a log file.
func logPart(name string) part {
	return part{"logs" + name, func(_ context.Context, h *Host, to io.Writer) error {
		f, err := h.open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(h.since) {
			return err
		}
		if info.Size() > maxSaveLog {
			if _, err := f.Seek(-maxSaveLog, io.SeekEnd); err != nil {
				return err
			}
		}
		_, err = io.Copy(to, newRecent(io.LimitReader(f, maxSaveLog), h.since, h.now, info.ModTime()))
		return err
	}}
}
