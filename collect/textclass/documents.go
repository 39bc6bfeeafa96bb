package textclass

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// document classifies a whole file by its path, or a text by its start.
type document struct {
	kind  Kind
	path  *prefilter.Regexp
	start *prefilter.Regexp
}

// documents are tried in this order.
var documents = []document{
	{path: prefilter.MustCompile(`(?:^|/)(?:run|proc/(?:net|pressure|mounts|meminfo|cmdline|cgroups|swaps|modules))/?[^/]*$|(?:^|/)resolv\.conf$`)}, // current state, written by programs and the kernel
	{kind: packageList, path: prefilter.MustCompile(`(?i)(?:^|/)(?:installed-(?:rpms|debs|packages)|package-data|rpm[-_]?(?:list|qa?)\b[^/]*|dpkg[-_]?(?:l|list)\b[^/]*|(?:apt|apk|pip|snap|yum|dnf)[-_](?:list|info|freeze)[^/]*|pkglist[^/]*|(?:installed[-_])?packages?(?:[-_]list)?(?:\.txt)?)$|(?:^|/)sos_commands/(?:rpm|dpkg|apt|dnf|yum|snap)/|(?:^|/)var/lib/(?:dpkg|rpm|apk)/`)},
	{kind: Kind{Reference, "report of the collector about itself"}, path: prefilter.MustCompile(`(?:^|/)sos_(?:logs|reports|strings)/`)},
	{kind: process, path: prefilter.MustCompile(`(?:^|/)proc/(?:\d+|self)/(?:mountinfo|mountstats|maps|smaps|numa_maps|environ|auxv)$`)},
	{kind: symbols, path: prefilter.MustCompile(`(?:^|/)(?:kallsyms|System\.map[^/]*|available_(?:filter_functions|events|tracers)|dynamic_debug/control|modules\.(?:alias|symbols|dep|builtin[^/]*))$|(?:^|/)sys/kernel/(?:debug|tracing)/`)},
	{kind: tests, path: prefilter.MustCompile(`(?i)(?:^|/)(?:junit[^/]*|TEST-[^/]*|test-?results?)\.xml$|(?:^|/)sonobuoy_results\.yaml$`),
		start: prefilter.MustCompile(`^\s*(?:<\?xml[^>]{0,200}>\s*)?<testsuites?\b|^name: \S[^\n]*\nstatus: (?:passed|failed|skipped|complete)\n|(?:^|\n)Running Suite: [^\n]{1,200}\n={3,}\n(?:[^\n]*\n){0,3}?Random Seed: \d+`)},
	{kind: source, path: prefilter.MustCompile(`\.(?:go|c|h|cc|cpp|rs|py|rb|pl|java|js|ts|ps1|psm1|sh|bats|lua|php|cs|proto|sql|patch|diff|tmpl|tpl|j2)$|(?:^|/)(?:Dockerfile|Containerfile|Makefile|Jenkinsfile|Vagrantfile)[^/]*$`),
		start: prefilter.MustCompile(`^\s*#! ?/\S*(?:sh|bash|python[\d.]*|perl|ruby|node|pwsh|env [\w.]+)\s*(?:\n|$)|^(?://[^\n]*\n|\s)*(?:package [a-z]\w*;?\n|#include [<"])|^\s*(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w, *]+)\n|^(?:#[^\n]*\n|\s)*FROM [\w./:@-]+(?: AS \w+)?\n(?s:.*?)\n(?:RUN|COPY|ENTRYPOINT|CMD|ADD) |^diff --git |^--- [^\n]{1,200}\n\+\+\+ `)},
	{kind: manual, path: prefilter.MustCompile(`(?:^|/)man[1-8]?/|(?:^|/)docs?/(?:[^/]+/)*[^/]+\.(?:md|rst|adoc|txt)$|(?i:(?:^|/)(?:README|CHANGELOG|CONTRIBUTING|LICENSE|NOTICE|COPYING)(?:[._-][^/]*)?$)`),
		start: prefilter.MustCompile(`^\s*[\w.-]+\(\d\w?\)\s{2,}\S[^\n]*\s[\w.-]+\(\d\w?\)\s*\n|^NAME\n\s+\S[^\n]{0,100} - `)},
	{kind: alertRules, path: prefilter.MustCompile(`(?i)(?:^|/)[^/]*(?:alert(?:ing)?|recording)[-_]?rules[^/]*\.(?:ya?ml|json|rules)$`),
		start: prefilter.MustCompile(`^(?:#[^\n]*\n|---\n|\s)*groups:\s*\n\s*- (?:name|interval):`)},
	{kind: schema, path: prefilter.MustCompile(`(?i)(?:^|/)(?:crds?|customresourcedefinitions?|openapi|swagger)[^/]*\.(?:ya?ml|json)$`),
		start: prefilter.MustCompile(`^\s*\{\s*"(?:\$schema|swagger|openapi|\$id|definitions)"\s*:`)},
	{kind: settings, path: prefilter.MustCompile(`\.(?:conf|cfg|cnf|ini|toml|service|socket|timer|mount|slice|target|network|netdev|link|rules|repo|tf|tfvars|hcl|properties|env)$|(?:^|/)etc/(?:[^/]+/)*[^/]+$|(?i:(?:^|/)(?:values|Chart|kustomization|docker-compose)[^/]*\.ya?ml$)|(?:^|/)(?:fstab|crontab|lvm\.conf|sudoers)$|(?:^|/)charm/(?:[^/]+/)*[^/]+\.ya?ml$|(?:^|/)configz\.json$|(?:^|/)state/deployer/manifests/|(?:^|/)sysctl/[^/]+$`),
		start: prefilter.MustCompile(`^(?:[#;][^\n]*\n|\s)*\[(?:Unit|Service|Install|Socket|Timer|Mount|Slice|Match|Network|Link)\]\s*\n`)},
}

// savedCommand matches the path at which sosreport saves command output, with the words of the command.
var savedCommand = lazyregexp.New(`(?:^|/)sos_commands/[^/]+/([^/]+)$`)

// OfFile classifies a file by its path.
func OfFile(path string) Kind {
	text := prefilter.NewText(path)
	for _, d := range documents {
		if d.path.Match(text) {
			return d.kind // the first row is for files that report state
		}
	}
	if m := savedCommand.FindStringSubmatch(path); m != nil {
		return OfCommand(strings.Split(m[1], "_"))
	}
	return Kind{}
}

// startSize is the size of the start of a text, in bytes.
const startSize = 4 << 10

// OfDocument classifies a whole document by its path and its start.
func OfDocument(path string, start []byte) Kind {
	if k := OfFile(path); !k.MayReportState() {
		return k
	}
	text := prefilter.NewText(strings.ReplaceAll(string(start[:min(len(start), startSize)]), "\r\n", "\n"))
	for _, d := range documents {
		if d.start != nil && d.start.Match(text) {
			return d.kind
		}
	}
	return Kind{}
}
