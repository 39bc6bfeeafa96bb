package textclass

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// row classifies single lines by their whole format.
type row struct {
	kind Kind
	line *prefilter.Regexp // of a line without its log prefix
}

var rows = []row{
	{typed, prefilter.MustCompile(`^\s*\+{1,4} (?:[\w./-]+(?:$| .*[^+]$)|\w+=.*$)`)}, // set -x
	{typed, prefilter.MustCompile(`^\s*timeout \d+ [a-z][\w./-]* -\S.*$`)},
	{packageList, prefilter.MustCompile(`^\s*(?:` +
		`[\w.+-]+[- ](?:\d+:)?[\d][\w.+~^]*-[\w.+~^:]+\.(?:x86_64|aarch64|noarch|i686|s390x|ppc64le|armv7hl|src)` + // rpm -qa, rpm-ostree
		`|[\w.+-]+\s+(?:\d+:)?\d+[.][\w.+~^-]*(?:\s+->\s+(?:\d+:)?\d[\w.+~^-]*|\s+@[\w.+-]+)?` + // dnf list, pip list, rpm-ostree db diff
		`|[\w.+-]+\.(?:x86_64|aarch64|noarch|i686)\s+\S+(?:\s+\S+)?` +
		`|[hirupn][inpucWt][HR ]?\s+[\w.+:-]+\s+\S+\s+(?:amd64|arm64|all|i386|armhf)\b.*` + // dpkg -l
		`|[\w.+-]+/[\w.,-]+ \S+ (?:amd64|arm64|all|i386|armhf)(?: \[.*\])?` + // apt list
		`|[\w.+-]+-\d[\w.]*-r\d+(?: \S+ \{.*)?` + // apk
		`|[\w.+-]+==\d[\w.+]*` + // pip freeze
		`|\S+ (?:v\d[\w.+-]*)(?: (?:h1:\S+|=> .*))?` + // go.mod
		`|(?:Installing|Upgrading|Updating|Removing|Erasing|Cleanup|Verifying|Reinstalling|Obsoleting|Downgrading|Installed|Upgraded|Removed|Updated|Downgraded|Added|Erase|Install|Upgrade)\s*:?\s+[\w.+:~^-]+(?:\s+\S+)?` +
		`|(?:Start-Date|End-Date|Commandline|Requested-By|Upgrade|Install|Reinstall|Remove|Purge|Downgrade): .*` + // apt history
		`|\d+ upgraded, \d+ newly installed, .*` +
		`|(?:Unpacking|Setting up|Preparing to unpack|Selecting previously unselected package|Get:\d+|Hit:\d+|Processing triggers for) .*` +
		`)\s*$`)},
	{versions, prefilter.MustCompile(`^\s*(?:[\w.-]+(?: \w+)? [vV]ersion:?\s+\S+(?: .{0,40})?|[\w.+-]{2,40}:\s+(?:go|v)?\d+(?:\.\d+){1,3}[\w.+~-]*|\w+Version: ?v?\d[\w.+-]*)\s*$`)},
	{symbols, prefilter.MustCompile(`^\s*(?:[0-9a-f]{8,16} [A-Za-z] [\w.$]+(?:\s+\[\w+\])?|[\w./-]+\.[ch]:\d+ \[[\w-]+\][\w.]+ =\S* ".*")\s*$`)},
	{source, prefilter.MustCompile(`^\s*(?:(?:return|raise|throw new|panic|defer|await|echo|printf|exit|if .{1,80}(?:\{|then|:)|\w+(?:, \w+)* :?=)\s*)?[\w.>:-]*(?:printk|pr_(?:err|warn|info|emerg)|dev_(?:err|warn|info)|netdev_\w+|[Ll]og(?:ger|ging)?\w*|klog|glog|logrus|fmt|errors?|[Pp]rint\w*|console|Exception|Error\w*|die|warn\w*)[\w.]*\s?\((?:[\w., &*]{0,80}, ?|KERN_\w+ )?["'` + "`" + `].*\)?\s*[;,{]?\s*$|^\s*(?:return|raise|throw new) .*[;"')]\s*$|^\s*(?:echo|printf|die|Write-(?:Host|Error|Output|Warning)) +["'].*$`)},
	{source, prefilter.MustCompile(`^\s*(?:(?:[\w.@-]+/)+[\w.-]+\.(?:go|c|h|cc|cpp|py|rb|java|js|ts|rs|sh|proto|ya?ml|md)|\w+_test\.go):\d+[:-]`)}, // grep -n, go test
	{tests, prefilter.MustCompile(`^(?:FAIL|PASS)\s*$|^(?:FAIL|ok)\s*\t.*$|^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP):|(?:not )?ok \d+|(?:passed|failed|skipped|started): \(|STEP: |[•✓✔✗✘] |"?\[(?:It|sig-[a-z-]+|Conformance|Disruptive|Serial|Slow)\]|</?test(?:case|suite)|<(?:failure|system-out|system-err|skipped)\b)`)},
	{settings, prefilter.MustCompile(`^\s*(?:[IWEF]\d{4} \S+\s+\d+ )?(?:\S+\.go:\d+\] )?FLAG: --|^\s*(?:Kernel )?[Cc]ommand line: |^\s*BOOT_IMAGE=`)},
	{settings, prefilter.MustCompile(`^\s*Flag (?:--[\w-]{1,80}|shorthand -\w) has been deprecated, `)}, // spf13/pflag v1.0.10 flag.go
	{unanswered, prefilter.MustCompile(`^\s*(?:[\w-]{1,30}: )?No \w{1,20} found\.?\s*$`)},
	{unanswered, prefilter.MustCompile(`^\s*Device "[\w.@-]{1,15}" does not exist\.\s*$`)}, // iproute2 ip/ipaddress.c
	{unanswered, prefilter.MustCompile(`^\s*Error from server \(NotFound\): [\w.]+ "[^"]{1,253}" not found\s*$`)},
	{wish, prefilter.MustCompile(`^\s*(?:Tolerations:\s+)?[\w./-]+(?:=\S*)?(?::No(?:Schedule|Execute)|:PreferNoSchedule)?(?: op=\w+)? for \d+s\s*$`)},
	{settings, prefilter.MustCompile(`^\s*- --[a-z][a-z-]{2,60}=\S*\s*$`)}, // of a manifest
	{settings, prefilter.MustCompile(`^\s*Loaded: loaded \(|^Exec[A-Z]\w+=\{ path=`)},
	{checked, prefilter.MustCompile(`^\s*(?:[-*+•]\s+)?(?:✅|☑|✔|\[[xX]\])\x{FE0F}?\s.*$`)},
	// What a unit ran before or after its main process, with success (systemd src/systemctl/systemctl-show.c).
	{passed, prefilter.MustCompile(`^\s*Process: \d+ Exec(?:Condition|StartPre|StartPost|Reload)=.*\(code=exited, status=0/SUCCESS\)\s*$`)},
}

// recorded is a fast check for the prefixes of klog and logrus, with which most component log lines start.
func recorded(said string) bool {
	if strings.HasPrefix(said, `time="`) {
		return true
	}
	return len(said) > 6 && strings.IndexByte("IWEF", said[0]) >= 0 && strings.Trim(said[1:5], "0123456789") == "" && said[5] == ' '
}

// OfLine classifies a line by itself.
func OfLine(line string) Kind {
	if line != "" && line[0] == 'I' && inventory.MatchString(line[:min(len(line), 200)]) {
		return settings
	}
	if len(line) > maxRow {
		return Kind{}
	}
	said := saidIn(line)
	if strings.TrimSpace(said) == "" {
		return Kind{}
	}
	if recorded(said) && !strings.Contains(said, "FLAG: --") {
		return Kind{}
	}
	if remark.MatchString(said) {
		return comment
	}
	if m := hashed.FindStringSubmatch(said); m != nil {
		if reports := stamped.MatchString(m[1]) || stated.MatchString(m[1]); reports {
			return Kind{}
		}
		return comment
	}
	if len(said) == len(line) && looked.MatchString(said) && !made.MatchString(said) {
		return unanswered
	}
	text := prefilter.NewText(said)
	for _, r := range rows {
		if r.line.Match(text) {
			return r.kind
		}
	}
	switch {
	case isInstruction(line):
		return instruction
	case isProse(line):
		return words
	}
	return Kind{}
}

var (
	// inventory matches klog's information about a program or machine, with all fields of a Go struct (minikube: docker info).
	inventory = lazyregexp.New(`^I\d{4} \S+\s+\d+ [\w./-]{1,60}\.go:\d+\] [a-z][\w ]{2,30}: \{\w{1,30}:\S* \w{1,30}:`)
	// looked matches the answer to a person who looks at a file. In a log it is the answer to a script.
	looked = lazyregexp.New(`^\s*(?:ls|cat|head|tail|less|more|stat|file|readlink|wc|find|[ef]?grep): .{1,300}: No such file or directory\s*$`)
	// made matches files that a running component makes: without them, it does not run.
	made = lazyregexp.New(`\.sock\b|[ '"]/dev/`)
	// remark matches a comment in source code or configuration.
	remark = lazyregexp.New(`^\s*(?://|/\*|<!--)`)
	// hashed may match one too. Some people put a hash before program output.
	hashed = lazyregexp.New(`^\s*#+\s*(.*)$`)
	// stamped matches a log line by its time.
	stamped = lazyregexp.New(`^(?:\[?\d{4}[-/]\d\d[-/]\d\d|[IWEF]\d{4} \d\d:|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|\[ *\d+\.\d+\]|time="|\{"|Job for \S+ failed)`)
	// stated matches comments with which programs report state in files that they write (systemd
	// src/resolve/resolved-resolv-conf.c).
	stated = lazyregexp.New(`^No DNS servers known|^Too many DNS servers configured|^Total length of all search domains is too long`)
)

// IsRemark reports whether a line is a comment in source code or configuration.
func IsRemark(line string) bool { return remark.MatchString(line) }

// maxRow bounds the lines that are checked by format, in bytes.
const maxRow = 2 << 10

// heads matches log prefixes. The rest of the line keeps its indentation.
var heads = lazyregexp.New(`^(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)? \S+ [^\s:\[]+(?:\[\d+\])?: ?|\d{4}-\d\d-\d\dT\S+ \S+ [^\s:\[]+(?:\[\d+\])?: ?|\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\] ?|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)? (?:std(?:out|err) [FP] )?)`)

// saidIn returns the message of a log line.
func saidIn(line string) string { return line[len(heads.FindString(line[:min(len(line), 300)])):] }
