package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/agent/journal"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// maxEntriesRead bounds the number of entries from a busy journal.
const maxEntriesRead = 50_000

// journalFields are the fields of a log line and of its writer.
var journalFields = []string{"MESSAGE", "_SYSTEMD_UNIT", "UNIT", "SYSLOG_IDENTIFIER", "_PID", "_HOSTNAME", "_TRANSPORT"}

// journals searches the journal entries of the node's units with the signatures. It reads the files without other
// programs.
func journals(ctx context.Context, h *Host, r *nodereport.Report) error {
	names, err := h.journalFiles()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("no journal found in /var/log/journal and /run/log/journal")
	}
	lines, write := io.Pipe()
	go func() {
		write.CloseWithError(h.copyJournals(ctx, names, write))
	}()
	err = h.scan(r, "journal", "", lines)
	lines.Close()
	return err
}

// journalFiles returns the files of the system journal.
func (h *Host) journalFiles() ([]string, error) {
	var names []string
	for _, dir := range []string{"/var/log/journal", "/run/log/journal"} {
		machines, err := h.list(dir)
		if errors.Is(err, os.ErrPermission) {
			return nil, err
		}
		for _, m := range machines {
			files, err := h.list(path.Join(dir, m.Name()))
			if errors.Is(err, os.ErrPermission) {
				return nil, err
			}
			for _, f := range files {
				// user-1000.journal has user sessions. A name that ends in ~ is from a crash.
				if strings.HasSuffix(f.Name(), ".journal") && !strings.HasPrefix(f.Name(), "user-") {
					names = append(names, path.Join(dir, m.Name(), f.Name()))
				}
			}
		}
	}
	return names, nil
}

// opened is a journal file with recent entries.
type opened struct {
	name string
	on   *os.File
	file *journal.File
}

// copyJournals writes the recent lines of all files, oldest file first.
func (h *Host) copyJournals(ctx context.Context, names []string, to io.Writer) error {
	var list []opened
	var errs []error
	defer func() {
		for _, o := range list {
			o.on.Close()
		}
	}()
	for _, name := range names {
		f, err := h.open(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		file, err := openJournal(f)
		if err != nil || file.Tail.Before(h.since) {
			f.Close()
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
			continue
		}
		list = append(list, opened{name, f, file})
	}
	slices.SortFunc(list, func(a, b opened) int { return cmp.Or(a.file.Head.Compare(b.file.Head), cmp.Compare(a.name, b.name)) })
	kernel := h.kernelLogClosed()
	var line bytes.Buffer
	for _, o := range list {
		var stopped error
		_, err := o.file.Since(h.since, maxEntriesRead, journalFields, func(e *journal.Entry) bool {
			if stopped = ctx.Err(); stopped != nil {
				return false
			}
			if nodeUnit(e.Fields) || kernel && e.Fields["_TRANSPORT"] == "kernel" {
				line.Reset()
				journalLine(&line, e)
				_, stopped = to.Write(line.Bytes())
			}
			return stopped == nil
		})
		if err := cmp.Or(stopped, err); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", o.name, err))
		}
	}
	return errors.Join(errs...)
}

// kernelLogClosed reports whether the kernel log is unreadable, as in an unprivileged container. Kernel messages are
// then read from the journal.
func (h *Host) kernelLogClosed() bool {
	log, err := h.system.kernelLog(h)
	if err != nil {
		return true
	}
	log.Close()
	return false
}

func openJournal(f *os.File) (*journal.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return journal.Open(f, info.Size())
}

// journalLine writes an entry in the format of journalctl -o short-iso. Further lines of a message have no prefix.
func journalLine(to *bytes.Buffer, e *journal.Entry) {
	f := e.Fields
	fmt.Fprintf(to, "%s %s %s[%s]: ", e.Time.Format("2006-01-02T15:04:05.000Z07:00"), cmp.Or(f["_HOSTNAME"], "localhost"), cmp.Or(f["SYSLOG_IDENTIFIER"], "unknown"), cmp.Or(f["_PID"], "0"))
	to.WriteString(strings.TrimRight(f["MESSAGE"], "\n"))
	to.WriteByte('\n')
}

// nodeUnit reports whether the entry is from a unit of the node, or from systemd about such a unit.
func nodeUnit(f map[string]string) bool {
	unit := f["_SYSTEMD_UNIT"]
	if unit == "init.scope" {
		unit = f["UNIT"]
	}
	if components.BeginsAsUnit(unit) {
		return true
	}
	for _, head := range []string{"rke2", "kube-", "cloud-", "walinuxagent", "nvidia", "dbus", "snap.microk8s", "snap.kubelet", "systemd-networkd", "systemd-resolved", "systemd-timesyncd", "chrony", "ntp", "NetworkManager"} {
		if strings.HasPrefix(unit, head) {
			return true
		}
	}
	return false
}
