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

// newLogEnd returns the end of the logs of a case. A program that stopped was restarted, and so was every program if the machine
// was; others restart by chance. read is when objects were read.
func newLogEnd(c *Case, n names, read time.Time, rnd *rand.Rand) logEnd {
	restart := rnd.IntN(2) == 1
	boot := false
	for _, f := range c.Files {
		restart = restart || stopped.MatchString(f.Text)
		for _, l := range lines(f.Text) {
			boot = boot || speakerOf(l, f.Name) == kernel && journalHead.MatchString(l)
		}
	}
	e := logEnd{names: n, restart: restart || boot, boot: boot, rnd: rnd, causes: append([]string{c.Truth.Class}, c.Truth.Secondary...)}
	when, timed := spanOf(c.Files)
	e.at = when.last.Add(restFrom)
	if timed && when.told && read.After(when.last) && read.Sub(when.last) < time.Hour {
		e.at = read.Add(restFrom) // the logs continue until the objects are read
	}
	return e
}

// further returns the lines after those of a block, in order. skip is the reason if there are none.
func (e logEnd) further(block []string, file string) (out []string, skip string) {
	programs, skip := e.programsOf(block, file)
	if skip != "" {
		return nil, skip
	}
	var all []timedLine
	for _, p := range programs {
		if !e.write(p) {
			return nil, "an unknown log header"
		}
		all = append(all, p.lines...)
	}
	slices.SortStableFunc(all, func(a, b timedLine) int { return a.at.Compare(b.at) })
	if e.boot {
		out = append(out, fmt.Sprintf("-- Boot %016x%016x --", e.rnd.Uint64(), e.rnd.Uint64()))
	}
	for _, l := range all {
		out = append(out, l.text)
	}
	return out, ""
}

// program is a program that wrote lines of a block, and its lines after the end.
type program struct {
	speaker speaker
	last    string    // its last line in the block
	ends    time.Time // the time of the end
	lines   []timedLine
}

type timedLine struct {
	at   time.Time
	text string
}

// programsOf returns the programs of a block in the order of their first lines.
func (e logEnd) programsOf(block []string, file string) (out []*program, skip string) {
	of := map[speaker]*program{}
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
		case s == kernel && e.needsBoot():
			return nil, "what only a new start of the machine ends, in the ring buffer of one"
		case of[s] == nil:
			of[s] = &program{speaker: s}
			out = append(out, of[s])
		}
		of[s].last = l
	}
	for _, p := range out {
		p.ends = ends
	}
	return out, ""
}

// needsBoot reports whether a cause lasts until the machine reboots, which it did not.
func (e logEnd) needsBoot() bool {
	return !e.boot && slices.ContainsFunc(e.causes, func(cause string) bool { return untilBoot[cause] })
}

// write writes what a program logs after the end: success, and then its ordinary lines. It reports whether the head of its lines
// is known.
func (e logEnd) write(p *program) bool {
	if e.restart {
		p.last = newProcess(p.last)
	}
	at := p.ends
	if e.boot && p.speaker != kernel {
		at = at.Add(bootTakes)
	}
	first := e.names.success(p.speaker, e.restart)
	if e.boot && p.speaker == kernel {
		first = append(bootWords, first...)
	}
	for _, w := range first {
		if !p.put(at, w) {
			return false
		}
		at = at.Add(time.Duration(e.rnd.IntN(3)) * time.Second)
	}
	for end := p.ends.Add(restFor); at.Before(end); at = at.Add(time.Duration(20+e.rnd.IntN(60)) * time.Second) {
		if w, ok := e.names.ordinary(p.speaker, e.rnd); ok && !p.put(at, w) {
			return false
		}
	}
	if w, ok := e.names.ordinary(p.speaker, e.rnd); ok {
		p.put(p.ends.Add(restFor), w)
	}
	return true
}

// put adds a line with the head of the last one. It reports whether that head is known.
func (p *program) put(at time.Time, w words) bool {
	text, ok := say(p.last, at, w)
	if ok {
		p.lines = append(p.lines, timedLine{at, text})
	}
	return ok
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
