package agent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// kernelLog searches the ring buffer of the kernel with the signatures.
func kernelLog(ctx context.Context, h *Host, r *nodereport.Report) error {
	log, err := h.system.kernelLog(h)
	if err != nil {
		return err
	}
	defer log.Close()
	booted := h.booted()
	lines, write := io.Pipe()
	go func() { write.CloseWithError(copyRecords(ctx, log, write, booted, h.since)) }()
	err = h.scan(r, "kernel log", "", lines)
	lines.Close()
	return err
}

// copyRecords converts kernel log records into lines with a time. It skips records before since.
func copyRecords(ctx context.Context, log io.Reader, to io.Writer, booted, since time.Time) error {
	records := bufio.NewReaderSize(log, maxLine) // a read of the device needs space for a whole record
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, err := records.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if at, text, ok := parseRecord(record); ok && (booted.IsZero() || !booted.Add(at).Before(since)) {
			stamp := ""
			if !booted.IsZero() {
				stamp = booted.Add(at).UTC().Format("2006-01-02T15:04:05Z") + " "
			}
			if _, err := fmt.Fprintf(to, "%skernel: [%12.6f] %s\n", stamp, at.Seconds(), text); err != nil {
				return err
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// parseRecord parses "6,1234,5678901,-;text" of the device (kernel Documentation/ABI/testing/dev-kmsg), or "<6>[
// 5.678901] text" of a copy (syslog(2)). Lines that begin with a space belong to the previous record. Records from user
// space are skipped.
func parseRecord(record []byte) (time.Duration, []byte, bool) {
	record = bytes.TrimRight(record, "\n\x00")
	if bytes.HasPrefix(record, []byte("<")) {
		return parseCopied(record[1:])
	}
	head, text, ok := bytes.Cut(record, []byte(";"))
	if !ok || len(head) == 0 || head[0] == ' ' {
		return 0, nil, false
	}
	fields := strings.Split(string(head), ",")
	if len(fields) < 3 {
		return 0, nil, false
	}
	at, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || at < 0 || at > 1<<53 || !kernels(fields[0]) {
		return 0, nil, false
	}
	return time.Duration(at) * time.Microsecond, text, true
}

func parseCopied(record []byte) (time.Duration, []byte, bool) {
	priority, rest, _ := bytes.Cut(record, []byte(">["))
	stamp, text, ok := bytes.Cut(rest, []byte("] "))
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(stamp)), 64)
	if !ok || err != nil || !isUptime(seconds) || !kernels(string(priority)) {
		return 0, nil, false
	}
	return time.Duration(seconds * float64(time.Second)), text, true
}

// isUptime reports whether a parsed number of seconds can be a time since boot. It may be NaN, which is not.
func isUptime(seconds float64) bool { return seconds >= 0 && seconds < 1<<33 }

// kernels reports whether a record is from the kernel: its facility is 0.
func kernels(priority string) bool {
	p, err := strconv.ParseUint(priority, 10, 32)
	return err == nil && p>>3 == 0
}
