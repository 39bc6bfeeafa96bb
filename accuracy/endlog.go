package accuracy

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"time"
)

const (
	restFrom = 2 * time.Minute  // from the last line of the case to its end
	restFor  = 28 * time.Minute // from there to the end of the evidence: ordinary lines
	ageing   = restFrom + restFor

	bootTakes = 25 * time.Second // from the kernel's first line to the first line of a program
)

// stopped matches messages after which a program cannot continue without a restart.
var stopped = regexp.MustCompile(`\bF\d{4} \d\d:\d\d:|(?i)panic:|level=fatal|main process exited|failed with result|failed to run kubelet|failed to start`)

// logEnd ends the logs of a case. Each program reports success for each object, after a restart or without, and then writes its
// usual lines.
type logEnd struct {
	names   names
	at      time.Time // the time of the end
	causes  []string  // the confirmed causes, and those that came with them
	restart bool      // of the programs
	boot    bool      // of the machine
	rnd     *rand.Rand
}

// further returns the lines after those of a block, in order. skip is the reason if there are none.
func (e logEnd) further(block []string, file string) (out []string, skip string) {
	last := map[speaker]string{}
	var order []speaker
	who := speakersOf(block, file)
	ends := e.at
	for i, l := range block {
		s := who[i]
		if at, ok := sinceBoot(l); ok {
			ends = at.Add(restFrom)
		} else if _, ok := headTime(l); !ok {
			continue
		}
		switch {
		case s == "":
			return nil, "a log of a program whose ordinary lines are not known"
		case s == kernel && !e.boot && slices.ContainsFunc(e.causes, func(cause string) bool { return untilBoot[cause] }):
			return nil, "what only a new start of the machine ends, in the ring buffer of one"
		case last[s] == "":
			order = append(order, s)
		}
		last[s] = l
	}
	type timed struct {
		at   time.Time
		text string
	}
	var all []timed
	for _, s := range order {
		like := last[s]
		if e.restart {
			like = newProcess(like)
		}
		put := func(at time.Time, w words) bool {
			text, ok := say(like, at, w)
			if ok {
				all = append(all, timed{at, text})
			}
			return ok
		}
		at := ends
		if e.boot && s != kernel {
			at = at.Add(bootTakes)
		}
		first := e.names.success(s, e.restart)
		if s == kernel && e.boot {
			first = append(bootWords, first...)
		}
		for _, w := range first {
			if !put(at, w) {
				return nil, "a head of a log that is not known"
			}
			at = at.Add(time.Duration(e.rnd.IntN(3)) * time.Second)
		}
		for end := ends.Add(restFor); at.Before(end); at = at.Add(time.Duration(20+e.rnd.IntN(60)) * time.Second) {
			if w, ok := e.names.ordinary(s, e.rnd); ok && !put(at, w) {
				return nil, "a head of a log that is not known"
			}
		}
		if w, ok := e.names.ordinary(s, e.rnd); ok {
			put(ends.Add(restFor), w)
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	if e.boot {
		out = append(out, fmt.Sprintf("-- Boot %016x%016x --", e.rnd.Uint64(), e.rnd.Uint64()))
	}
	for _, t := range all {
		out = append(out, t.text)
	}
	return out, ""
}

// untilBoot lists causes in a kernel that last until the machine reboots.
var untilBoot = map[string]bool{"gpu-driver-mismatch": true, "filesystem-readonly": true, "kernel-bug": true, "kernel-lockup": true, "nic-driver-failure": true, "storage-backend-hang": true}

var (
	journalProcess = regexp.MustCompile(`(\S\[)(\d{2,})(\]: )`)
	klogProcess    = regexp.MustCompile(`([IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+)(\d{2,})( )`)
)

// newProcess returns a line with another process id.
func newProcess(l string) string {
	for _, re := range []*regexp.Regexp{journalProcess, klogProcess} {
		if m := re.FindStringSubmatchIndex(l); m != nil {
			n, _ := strconv.Atoi(l[m[4]:m[5]])
			l = l[:m[4]] + strconv.Itoa(n+1204) + l[m[5]:]
		}
	}
	return l
}

// bootWords are the first messages of a kernel.
var bootWords = []words{
	{"", "info", "Linux version 6.8.0-1021-generic (buildd@lcy02-amd64-059) (x86_64-linux-gnu-gcc-13) #25-Ubuntu SMP"},
	{"", "info", "Command line: BOOT_IMAGE=/boot/vmlinuz-6.8.0-1021-generic root=/dev/sda1 ro console=ttyS0"},
	{"", "info", "EXT4-fs (sda1): mounted filesystem 3f0c8d52-9f1b-4d8a-8a7e-0d4f2b8a6f10 r/w with ordered data mode. Quota mode: none."},
}
