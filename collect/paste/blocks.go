package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Block is one part of a text: the output of one command, the status of one unit, one description, one log.
type Block struct {
	Line    int              // first line, from 1
	Speaker logline.Speaker  // the author by the first line; Unknown: depends on each line
	Object  bool             // a description of an object: its lines are fields
	Name    string           // of the described object
	Tenant  bool             // the log of a pod outside system namespaces
	Pod     evidence.Subject // the pod of a system namespace that wrote the log; zero: unknown
	Typed   bool             // the first line is a command or an empty prompt
	Kind    textclass.Kind   // class of the other lines, if the first line shows it
}

// kubectlError matches the error that kubectl prints if the API server cannot get a log from the kubelet. No log can add text to
// it.
var kubectlError = lazyregexp.New(`^Error from server(?: \(\w{1,40}\))?: Get "?https://[^"\s]{1,300}:10250/containerLogs/[^"\s]{1,400}"?: (?:dial tcp [0-9a-f.:\[\]]{3,60}: (?:i/o timeout|connect: [a-z]+(?: [a-z]+){0,3})|context deadline exceeded|remote error: tls: [a-z ]{1,60}|EOF)$`)

// OfTenant reports whether an application wrote that line of the block.
func (b Block) OfTenant(line string) bool { return b.Tenant && !kubectlError.MatchString(line) }

// Blocks finds the blocks of a text, line by line.
type Blocks struct {
	list  []Block
	log   bool // in a log file of klog, which quotes commands and their output
	line  int
	ended Termination
	own   []lineSpan
}

// lineSpan is a range of lines that the container of a description wrote.
type lineSpan struct{ from, to int }

// maxBlocks bounds the blocks of a text that starts one at each line.
const maxBlocks = 20_000

var (
	unitBlock     = lazyregexp.New(`^\s{0,2}(?:●|\*|○|×|↻|�) ([\w@.:\\-]{1,120}\.(?:service|socket|mount|timer|target|slice))(?:\s*$|\s+[-–—]\s)`)
	fileBlock     = lazyregexp.New(`^==> (\S{1,200})(?: \[[0-9a-f]{1,64}\])? <==$`)
	podBlock      = lazyregexp.New(`^==== START logs for container (\S+) of pod ([^/\s]+)/(\S+) ====`)
	describeBlock = lazyregexp.New(`^Name:\s{2,}(\S+)$`)
	describePart  = lazyregexp.New(`^(?:Init )?Containers:\s*$`) // of a description without its first lines
	journalBlock  = lazyregexp.New(`^-- (?:Logs begin|Journal begins|Boot [0-9a-f]{32})`)
	codeFence     = lazyregexp.New("^\\s{0,3}```")
)

// Take reads the next line of the text.
func (b *Blocks) Take(line string) {
	b.line++
	b.head(line)
	if b.ended.Take(line) {
		b.written()
	}
}

// head starts a block if the line is the first line of one.
func (b *Blocks) head(line string) {
	if len(b.list) >= maxBlocks {
		return
	}
	b.log = b.log || strings.HasPrefix(line, klogFile)
	if b.log && bareTools[leadingWord(line)] {
		return
	}
	block, starts := blockHead(line)
	if !starts && !b.inObject() && describePart.MatchString(line) {
		block, starts = Block{Speaker: logline.Command, Object: true}, true
	}
	if starts {
		block.Line = b.line
		b.list, b.log = append(b.list, block), false
	}
}

// klogFile is the start of the first line of a log file of klog (k8s.io/klog/v2 klog_file.go).
const klogFile = "Log file created at: "

// inObject reports whether the last block is a description of an object.
func (b *Blocks) inObject() bool { return len(b.list) > 0 && b.list[len(b.list)-1].Object }

// written records that a container wrote the line. If there are too many such ranges, the last one is extended to the end.
func (b *Blocks) written() {
	last := len(b.own) - 1
	if last >= 0 && (b.own[last].to == b.line-1 || last+1 >= maxBlocks) {
		b.own[last].to = b.line
		return
	}
	b.own = append(b.own, lineSpan{b.line, b.line})
}

// Written reports whether the line is part of a termination message, which the container of a described pod wrote.
func (b *Blocks) Written(line int) bool {
	at, _ := slices.BinarySearchFunc(b.own, line+1, func(s lineSpan, line int) int { return s.from - line })
	return at > 0 && line <= b.own[at-1].to
}

// blockHead reports whether a line starts a block, and returns the block.
func blockHead(line string) (block Block, starts bool) {
	if len(line) == 0 || len(line) > 600 {
		return Block{}, false
	}
	if block, starts = outputHead(line); starts {
		return block, true
	}
	if !mayPrompt(line[:min(len(line), 160)]) && !bareTools[leadingWord(line)] {
		return Block{}, false
	}
	_, rest, ok := splitPrompt(line)
	if !ok {
		return Block{}, false
	}
	c := parseCommand(rest)
	if c == nil {
		return Block{Typed: true}, true
	}
	block = c.block()
	block.Typed, block.Kind = true, c.kind()
	return block, true
}

// outputHead returns the block that the first line of an output starts: of systemctl status, a log file, kubectl describe.
func outputHead(line string) (Block, bool) {
	switch line[0] {
	case '\xe2', '*', ' ', '\xc3':
		if m := unitBlock.FindStringSubmatch(line); m != nil {
			return Block{Speaker: logline.Named(m[1])}, true
		}
	case '=':
		if m := fileBlock.FindStringSubmatch(line); m != nil {
			return Block{Speaker: FileSpeaker(m[1]), Kind: textclass.OfFile(m[1])}, true
		}
		if m := podBlock.FindStringSubmatch(line); m != nil {
			return ofContainer(m[2], m[3], m[1]), true
		}
	case 'N':
		if m := describeBlock.FindStringSubmatch(line); m != nil {
			return Block{Speaker: logline.Command, Object: true, Name: m[1]}, true
		}
	case '-':
		return Block{Speaker: logline.Unknown}, journalBlock.MatchString(line)
	case '`':
		return Block{Speaker: logline.Unknown}, codeFence.MatchString(line)
	}
	return Block{}, false
}

// mayPrompt reports whether a text has the first byte of a prompt end: $ # % > and the arrows, which share a first byte.
func mayPrompt(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '$', '#', '%', '>', '\xe2':
			return true
		}
	}
	return false
}

func leadingWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// block returns the block for the output of the command.
func (c *command) block() Block {
	if slices.Contains(containerTools, c.tool()) {
		if at := slices.IndexFunc(c.words, func(w string) bool { return w == "logs" || w == "log" }); at >= 0 {
			return loggedBy(namespaceIn(c.words[:at]), c.words[at+1:])
		}
	}
	return Block{Speaker: c.speaker()}
}

// kind returns the class of the command output, if it reports no state.
func (c *command) kind() textclass.Kind {
	return textclass.OfCommand(append([]string{c.tool()}, c.words[min(1, len(c.words)):]...))
}

// containerTools print the logs of containers.
var containerTools = []string{"kubectl", "crictl", "docker", "nerdctl", "podman"}

// speaker returns the author of the command output, if it is no container log.
func (c *command) speaker() logline.Speaker {
	words := c.words
	switch c.tool() {
	case "journalctl":
		if unit := flagValue(words, "-u", "--unit", "-xeu", "-xu", "-fu", "-eu", "-xefu", "-t"); unit != "" {
			return logline.Named(unit)
		}
		if slices.Contains(words, "-k") || slices.Contains(words, "--dmesg") {
			return logline.Kernel
		}
		return logline.Unknown
	case "dmesg":
		return logline.Kernel
	case "cat", "tail", "less", "head", "grep", "egrep", "zgrep", "more":
		if len(words) > 1 {
			return FileSpeaker(words[len(words)-1])
		}
		return logline.Unknown
	case "systemctl", "service":
		if len(words) > 2 && slices.Contains(words, "status") {
			if s := logline.Named(words[len(words)-1]); s != logline.Other && s != logline.Application {
				return s
			}
		}
		return logline.Command // the tool prints this itself
	}
	return logline.Command
}

// flagValue returns the value of the first of the flags, in the next word or after an equals sign.
func flagValue(words []string, flags ...string) string {
	for i, w := range words {
		for _, f := range flags {
			if w == f && i+1 < len(words) {
				return words[i+1]
			}
			if v, ok := strings.CutPrefix(w, f+"="); ok {
				return v
			}
		}
	}
	return ""
}

// namespaceIn returns the value of the first namespace flag of a command.
func namespaceIn(words []string) string {
	for i, w := range words {
		if name, ok := strings.CutPrefix(w, "--namespace="); ok {
			return name
		}
		if (w == "-n" || w == "--namespace") && i+1 < len(words) {
			return words[i+1]
		}
	}
	return ""
}

// logTarget is what a command like kubectl logs names.
type logTarget struct {
	namespace string
	name      string // of a pod, or of an object of another kind: deployment/x
	selected  bool   // the name is the value of a label selector
}

// targetOf parses the words after logs. The namespace may be set before it.
func targetOf(namespace string, words []string) logTarget {
	t := logTarget{namespace: namespace}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; w {
		case "-n", "--namespace":
			t.namespace = namespaceIn(words[i:])
			i++
		case "-l", "--selector":
			if i++; i < len(words) && t.name == "" {
				_, t.name, _ = strings.Cut(words[i], "=")
				t.selected = true
			}
		case "-c", "--container", "--tail", "--since":
			i++
		default:
			if strings.HasPrefix(w, "--namespace=") {
				t.namespace = namespaceIn(words[i:])
			} else if !strings.HasPrefix(w, "-") && t.name == "" {
				t.name = w
			}
		}
	}
	return t
}

// loggedBy returns the block for the output of a command like kubectl logs. Container IDs do not identify a pod.
func loggedBy(namespace string, words []string) Block {
	t := targetOf(namespace, words)
	kind, name, typed := strings.Cut(t.name, "/")
	if !typed {
		kind, name = "pod", t.name
	}
	if name == "" || identifier.MatchString(name) {
		return Block{}
	}
	block := ofContainer(t.namespace, name, "")
	if evidence.KindNamed(kind) == "Pod" && !t.selected && evidence.ComponentNamespace(t.namespace) {
		block.Pod = evidence.PodSubject(t.namespace, name)
	}
	return block
}

var identifier = lazyregexp.New(`^[0-9a-f]{10,64}$`)

// ofContainer returns the block for the log of a pod's container. Users choose pod names. So a name identifies a component only in
// a namespace of components, or if the namespace is unknown.
func ofContainer(namespace, pod, container string) Block {
	if namespace != "" && !evidence.ComponentNamespace(namespace) {
		return Block{Speaker: logline.Application, Tenant: true}
	}
	for _, name := range []string{pod, container} {
		if s := logline.Named(name); s != logline.Other && s != logline.Unknown {
			return Block{Speaker: s}
		}
	}
	return Block{Speaker: logline.Other}
}

// FileSpeaker returns the author of a log file by its name, or Unknown.
func FileSpeaker(name string) logline.Speaker {
	base := name[strings.LastIndexByte(name, '/')+1:]
	base, _, _ = strings.Cut(base, ".")
	switch strings.ToLower(base) {
	case "dmesg", "kern", "console":
		return logline.Kernel
	case "cloud-init-output", "cloud-init", "user-data", "cluster-provision", "nodeadm-run", "nodeadm-config":
		return logline.Bootstrap
	}
	if s := logline.Named(base); s != logline.Other {
		return s
	}
	return logline.Unknown
}

// List returns the blocks in text order.
func (b *Blocks) List() []Block { return b.list }

// Of returns a block by its number, from 1. A text before the first block has number 0 and no Block.
func (b *Blocks) Of(number int) (Block, bool) {
	if number < 1 || number > len(b.list) {
		return Block{}, false
	}
	return b.list[number-1], true
}

// Next returns the block after one, which is the first block for number 0.
func (b *Blocks) Next(number int) (Block, bool) { return b.Of(number + 1) }

// At returns the block that contains a line, and its number; 0 for lines before the first block.
func (b *Blocks) At(line int) (int, Block) {
	at, _ := slices.BinarySearchFunc(b.list, line+1, func(x Block, line int) int { return x.Line - line })
	if at == 0 {
		return 0, Block{}
	}
	return at, b.list[at-1]
}
