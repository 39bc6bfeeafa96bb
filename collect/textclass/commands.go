package textclass

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// command classifies the output of commands that report no state.
type command struct {
	kind Kind
	line *lazyregexp.Regexp // the words, without sudo and the folder of the program
}

var commands = []command{
	{help, lazyregexp.New(`^\S+(?: [\w-]+){0,4} --help(?: |$)|^\S+ (?:help|-help)(?: |$)|^kubectl (?:explain|api-resources|api-versions|options)(?: |$)`)},
	{manual, lazyregexp.New(`^(?:man|info|tldr|apropos|whatis) `)},
	{packageList, lazyregexp.New(`^(?:rpm .*-\w*q|dpkg (?:.* )?(?:-[lsLpS]|--list|--get-selections|--status)|dpkg-query |apt (?:list|show|search|policy)|apt-cache |apk (?:info|list|search|policy)|pip3? (?:list|freeze|show)|(?:yum|dnf|tdnf|microdnf) (?:-\S+ )*(?:list|info|search|history|repolist|check-update|provides|repoquery)|zypper (?:search|se|info|packages|pa)|snap (?:list|info|find)|pacman -\w*[QS][si]|npm (?:ls|list)|gem list|conda list|brew list|helm (?:search|show|repo|list|ls)|go (?:version|list|env))(?:\b| |$)`)},
	{versions, lazyregexp.New(`^\S+(?: [\w-]+)? (?:--version|version|-version)(?: |$)|^\S+ -[vV]$|^uname |^(?:lsb_release|hostnamectl) |^(?:lsb_release|hostnamectl)$`)},
	{fileList, lazyregexp.New(`^(?:ls|ll) (?:.* )?-\w*R|^(?:find|tree|locate)(?: |$)`)},
	{process, lazyregexp.New(`^(?:ps|pgrep|pstree)(?: |$)`)},
	{hardware, lazyregexp.New(`^(?:udevadm info|modinfo|lspci|lsusb|lscpu|lshw|dmidecode|hwinfo|lsmod|kmod list|ethtool -[a-z])(?: |$)`)},
	{settings, lazyregexp.New(`^sysctl (?:-\S+ )*(?:-a|-A|--all|-p|--system)(?: |$)|^(?:env|printenv|locale|getconf|set|ulimit -a)(?: |$)|^systemctl (?:cat|show|show-environment|list-unit-files)(?: |$)|^systemd-analyze dump|^kubectl (?:.* )?(?:config|version) `)},
	{Kind{Typed, "history of commands"}, lazyregexp.New(`^(?:history|fc -l|alias|type|which|whereis|crontab -l)(?: |$)`)},
	{source, lazyregexp.New(`^(?:git (?:show|diff|log|grep|blame)|diff|xxd|strings|nm|objdump)(?: |$)`)},
}

// readers are commands that print the file in their last word.
var readers = map[string]bool{"cat": true, "tail": true, "less": true, "head": true, "more": true, "zcat": true, "grep": true, "egrep": true, "zgrep": true, "fgrep": true, "rg": true, "sed": true, "awk": true, "bat": true, "type": true, "Get-Content": true, "gc": true, "nl": true, "tac": true}

// OfCommand classifies the output of a command by its words, starting with the name of the program.
func OfCommand(words []string) Kind {
	if len(words) == 0 {
		return Kind{}
	}
	line := strings.Join(words, " ")
	for _, c := range commands {
		if c.line.MatchString(line) {
			return c.kind
		}
	}
	if last := words[len(words)-1]; readers[words[0]] && len(words) > 1 {
		return OfFile(last)
	}
	return Kind{}
}

// failure matches an error of a tool or a shell in place of the output.
var failure = lazyregexp.New(`(?i)^\s*(?:-?(?:ba|z|da|k|a)?sh: |\S+: (?:error|fatal|cannot|could not|unable|failed|command not found)|error\b|fatal\b|FATA|E\d{4} |panic:|unable to|the connection to|cannot|could not|failed|Unauthorized|\S+: .*(?:not found|no such file|permission denied|input/output error|cannot allocate memory|error while loading))`)
