package nodetriage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/nodetriage/nodetriage/"

// room is what one package may do. Its imports of this module are a complete list: a new import is decided here
// that the direction is right.
type room struct {
	why  string
	pure bool     // no I/O, no clock, no chance: the same input gives the same output forever
	ours []string // packages of this module that it may import
}

// rooms are all packages, in the order in which one reads them. A package that is not here, or is here and
// does not exist, fails the test.
var rooms = map[string]room{
	"answers":                       {"says what is below it", true, nil},
	"knowledge":                     {"says what is below it", true, nil},
	"evidence/nodereport":           {"what a node says of itself, written by an agent that must stay small", true, nil},
	"atomicfile":                    {"files that appear whole or not at all, and replace nothing but regular files", false, nil},
	"knowledge/lazyregexp":          {"expressions of the program, compiled at the first use", true, nil},
	"evidence/bounds/quantity":      {"parses quantities that strangers wrote", true, []string{"evidence/bounds"}},
	"evidence/bounds":               {"decodes what strangers wrote: JSON, YAML and protobuf that would keep a plain decoder busy forever", true, nil},
	"knowledge/prefilter":           {"words without which an expression cannot match, and what tells cheaply whether it does", true, nil},
	"knowledge/components":          {"what is known of network plugins, runtimes, drivers and kubelets, each once", true, nil},
	"knowledge/clouds":              {"what a cloud and its managed service look like, each once", true, nil},
	"knowledge/logline":             {"what a line says by its form alone", true, []string{"knowledge/clouds", "knowledge/components", "knowledge/prefilter"}},
	"cases/casetest":                {"the harness of all tests whose cases are files: only tests import it", false, []string{"knowledge/catalog", "knowledge/signatures"}},
	"knowledge/shell/shelltest":     {"pastes commands into shells: only tests import it", false, nil},
	"cases/casetest/snapshots":      {"reads the clusters of cases; apart, so that what reads evidence can have cases too", false, []string{"cases/casetest", "collect", "evidence", "knowledge/signatures"}},
	"wording":                       {"how numbers, names and durations are said, the same in every output", true, nil},
	"knowledge/shell":               {"commands that people paste: one policy for names that are not ours", true, []string{"knowledge/clouds"}},
	"evidence/redact":               {"what no output may show: the same text gives the same answer", true, nil},
	"evidence":                      {"facts: a bundle read years later must mean the same", true, []string{"knowledge/clouds", "knowledge/components", "evidence/nodereport", "knowledge/logline"}},
	"evidence/anonymize":            {"whose evidence it is, no output may show where that is wished: the same evidence gives the same answer", true, []string{"knowledge/components", "evidence", "knowledge/logline"}},
	"knowledge/packed":              {"compresses the data that the program carries", true, nil},
	"knowledge/catalog":             {"knowledge as data", true, []string{"knowledge/clouds", "knowledge/logline", "knowledge/packed"}},
	"knowledge/catalog/archive":     {"knowledge as a file with a signature: bytes to a file system, and back", true, []string{"knowledge/catalog"}},
	"knowledge/signatures":          {"knowledge as data, and its matcher", true, []string{"knowledge/logline", "knowledge/packed", "knowledge/prefilter"}},
	"mechanics":                     {"how Kubernetes behaves, each law once: who needs one asks here", true, []string{"knowledge/components", "evidence"}},
	"triage":                        {"equal evidence gives equal reports", true, []string{"knowledge/clouds", "cloud/advice", "knowledge/components", "evidence", "mechanics", "knowledge/catalog", "evidence/nodereport", "knowledge/signatures", "knowledge/logline", "triage/timeline", "wording"}},
	"mechanics/admission":           {"what the API server would answer: the same evidence gives the same answer", true, []string{"evidence", "wording"}},
	"triage/timeline":               {"what came after what, and how long silence must be to say something", true, []string{"evidence", "knowledge/lazyregexp", "knowledge/logline", "wording"}},
	"triage/rules/endings":          {"what shows that the trouble of a message is over, one entry for each way", true, []string{"knowledge/components", "knowledge/catalog", "evidence", "knowledge/logline", "mechanics", "evidence/nodereport", "triage/rules/doubts", "triage/rules/facts", "knowledge/signatures", "triage", "triage/timeline", "wording"}},
	"triage/rules/doubts":           {"what makes a message doubtful, one entry for each reason", true, []string{"knowledge/catalog", "evidence", "knowledge/logline", "mechanics", "triage/rules/facts", "triage", "triage/timeline"}},
	"triage/rules/facts":            {"what several rules ask of the evidence: it answers, and claims nothing", true, []string{"knowledge/clouds", "knowledge/components", "triage/timeline", "cloud/advice", "triage", "knowledge/catalog", "evidence", "mechanics", "evidence/nodereport", "knowledge/signatures", "knowledge/logline", "wording"}},
	"triage/rules/messages":         {"a diagnosis rests on facts: what components say", true, []string{"triage/timeline", "triage/rules/facts", "triage", "evidence", "knowledge/catalog", "evidence/nodereport", "knowledge/signatures", "knowledge/logline", "wording"}},
	"triage/rules/nodes":            {"a diagnosis rests on facts: nodes as the API shows them", true, []string{"cloud/advice", "triage/rules/facts", "triage", "evidence", "mechanics", "knowledge/catalog", "evidence/nodereport", "knowledge/logline", "wording"}},
	"triage/rules/kubelet":          {"a diagnosis rests on facts: what kubelets say", true, []string{"triage/timeline", "triage/rules/facts", "triage", "evidence", "mechanics", "knowledge/catalog", "wording"}},
	"triage/rules/reports":          {"a diagnosis rests on facts: what nodes say of themselves", true, []string{"knowledge/components", "triage/timeline", "triage/rules/facts", "triage", "evidence", "knowledge/catalog", "evidence/nodereport", "wording"}},
	"triage/rules/cloud":            {"a diagnosis rests on facts: what the cloud says and did", true, []string{"cloud/advice", "triage/rules/facts", "triage", "evidence", "knowledge/catalog", "wording"}},
	"triage/rules/system":           {"a diagnosis rests on facts: what nodes depend on", true, []string{"knowledge/components", "triage/rules/facts", "triage", "evidence", "mechanics", "knowledge/catalog", "evidence/nodereport", "wording"}},
	"triage/rules/workloads":        {"a diagnosis rests on facts: what runs on nodes", true, []string{"triage/rules/facts", "triage", "evidence", "mechanics", "knowledge/logline", "wording"}},
	"triage/rules":                  {"the one list of all rules; none rests on a prediction or a plan", true, []string{"triage", "triage/rules/messages", "triage/rules/nodes", "triage/rules/kubelet", "triage/rules/reports", "triage/rules/cloud", "triage/rules/system", "triage/rules/workloads", "triage/rules/endings", "triage/rules/doubts"}},
	"mechanics/placement":           {"where pods fit, as questions and answers: who asks does not link the scheduler", true, []string{"evidence"}},
	"answers/predict":               {"what happens next, in virtual time", true, []string{"mechanics/admission", "answers/plan", "evidence", "mechanics", "mechanics/placement", "wording"}},
	"cases":                         {"recorded evidence with its confirmed cause: reads it, and holds a report against it", false, []string{"triage"}},
	"answers/timeline":              {"what happened, in order", true, []string{"evidence", "mechanics", "knowledge/signatures"}},
	"answers/nodes":                 {"all nodes on one screen, judged by the same findings", true, []string{"knowledge/components", "cloud", "evidence/nodereport", "triage", "evidence", "mechanics", "mechanics/placement", "knowledge/catalog", "wording"}},
	"triage/ignore":                 {"what a team wants to hear nothing of, and until when: an answer about a cause and a subject", true, []string{"evidence", "triage"}},
	"answers/diff":                  {"what differs between two looks", true, []string{"triage", "evidence", "knowledge/catalog", "evidence/nodereport", "wording"}},
	"answers/lists":                 {"what there is, well or not, with what is odd", true, []string{"knowledge/catalog", "cloud", "triage", "evidence", "mechanics", "answers/nodes", "evidence/nodereport", "mechanics/placement", "wording"}},
	"mechanics/placement/scheduler": {"the scheduler's own code on evidence: it takes a context and caches, and reaches nothing", false, []string{"evidence", "mechanics", "mechanics/placement"}},
	"answers/why":                   {"one pod or workload: what keeps it, and what would help", true, []string{"mechanics/admission", "answers/clusterview", "cloud/advice", "evidence", "mechanics", "mechanics/placement", "wording"}},
	"answers/plan":                  {"the words of all plans: verdicts, intervals, commands to paste", true, nil},
	"answers/clusterview":           {"what plans ask about a cluster again and again: it answers, and decides nothing", true, []string{"mechanics/admission", "evidence", "mechanics", "mechanics/placement", "answers/plan", "triage", "wording"}},
	"answers/drain":                 {"which pods go when nodes are emptied: the same evidence gives the same plan", true, []string{"mechanics/admission", "answers/clusterview", "evidence", "mechanics", "mechanics/placement", "answers/plan", "triage", "wording"}},
	"answers/upgrade":               {"the replacement of a pool, which is many drains, in virtual time", true, []string{"knowledge/clouds", "mechanics/admission", "answers/clusterview", "answers/drain", "evidence", "mechanics", "mechanics/placement", "answers/plan", "triage", "wording"}},
	"answers/repair":                {"one change in the cloud: what must hold before it and after it", true, []string{"answers/clusterview", "knowledge/catalog", "cloud/advice", "cloud", "evidence", "mechanics", "mechanics/placement", "answers/plan", "triage", "wording"}},
	"answers/check":                 {"what would make trouble when nodes go, before they do", true, []string{"cloud/advice", "mechanics/admission", "answers/clusterview", "evidence", "mechanics", "mechanics/placement", "answers/plan", "triage", "answers/upgrade", "wording"}},
	"answers/verify":                {"whether a fix is proven: the same evidence gives the same answer", true, []string{"knowledge/components", "cloud/advice", "triage", "evidence", "mechanics", "evidence/nodereport", "knowledge/catalog", "knowledge/signatures", "wording"}},
	"cloud/azure/gate/health":       {"the types of others, as they publish them: it depends on apimachinery only", true, nil},
	"cloud/azure/gate/upgrade":      {"the types of others, as they publish them: it depends on apimachinery only", true, nil},
	"cloud/azure/gate":              {"whether an upgrade may go on: the same judgement gives the same answer", true, []string{"cloud/azure/gate/health", "cloud/azure/gate/upgrade", "evidence", "knowledge/catalog", "knowledge/components", "mechanics", "triage", "wording"}},
	"cloud/azure/gate/objects":      {"objects of upgrade health gates, to evidence: no I/O", true, []string{"cloud", "cloud/azure/gate/health", "cloud/azure/gate/upgrade", "evidence", "wording"}},
	"cloud/azure/gate/signals":      {"publishes the answers to AKS: what is to do follows from the objects alone", false, []string{"cloud/azure/gate", "cloud/azure/gate/health", "cloud/azure/gate/upgrade", "evidence"}},
	"report":                        {"values to words: prints what it is given", true, []string{"knowledge/clouds", "knowledge/components", "triage", "evidence", "knowledge/catalog", "answers/diff", "answers/drain", "answers/lists", "knowledge/logline", "answers/nodes", "evidence/nodereport", "mechanics/placement", "answers/plan", "answers/repair", "answers/check", "knowledge/signatures", "answers/predict", "answers/timeline", "answers/upgrade", "answers/verify", "answers/why", "wording"}},
	"kube":                          {"the only one that talks to an API server", false, []string{"wording"}},
	"cloud":                         {"what is wanted of a cloud, in our words", false, []string{"evidence"}},
	"cloud/azure":                   {"the only one that talks to Azure", false, []string{"cloud", "evidence"}},
	"cloud/azure/documents":         {"what Azure answers and az prints, to evidence: no I/O", true, []string{"cloud", "evidence", "wording"}},
	"cloud/advice":                  {"what people are told to run, in the words of each cloud's tool", true, nil},
	"cloud/aws":                     {"what EC2 answers, to evidence: no I/O", true, []string{"cloud", "evidence", "wording"}},
	"cloud/capi":                    {"machines as objects of the Cluster API, to evidence: no I/O", true, []string{"cloud", "evidence", "wording"}},
	"cloud/providers":               {"the list of clouds whose documents are read", true, []string{"cloud", "cloud/aws", "cloud/azure/documents", "cloud/azure/gate/objects", "cloud/capi"}},
	"collect":                       {"files and texts to evidence: reads, never judges", false, []string{"knowledge/clouds", "evidence/redact", "evidence", "evidence/nodereport", "knowledge/signatures", "knowledge/logline", "cloud", "cloud/providers", "collect/bundle", "collect/kubelets", "collect/layouts", "collect/paste", "collect/textclass", "knowledge/prefilter", "wording"}},
	"live":                          {"the evidence of a watched cluster, object by object: it keeps, and judges nothing", false, []string{"collect", "collect/survey", "evidence", "kube"}},
	"collect/layouts":               {"where tools write what they collect", true, nil},
	"collect/textclass":             {"what kind of text a line stands in, before anything is matched in it", true, []string{"knowledge/logline", "knowledge/prefilter"}},
	"collect/bundle":                {"the file that holds a Snapshot", false, []string{"atomicfile", "evidence", "evidence/redact"}},
	"collect/kubelets":              {"what a kubelet answers", true, []string{"evidence", "wording"}},
	"collect/survey":                {"a live cluster to evidence: reads, never judges", false, []string{"knowledge/clouds", "knowledge/components", "knowledge/signatures", "evidence", "mechanics", "kube", "cloud", "collect", "collect/kubelets", "evidence/nodereport", "wording"}},
	"collect/paste":                 {"text to evidence: no I/O beyond its reader", true, []string{"knowledge/components", "collect/textclass", "evidence", "evidence/nodereport", "knowledge/logline", "wording"}},
	"agent":                         {"asks one machine: reads, never judges, and stays small", false, []string{"knowledge/components", "evidence/nodereport", "evidence/redact", "knowledge/signatures", "knowledge/logline", "agent/journal", "wording"}},
	"agent/journal":                 {"a file format: bytes to messages", true, nil},
	"cmd/nodetriage-agent":          {"wiring of the agent", false, []string{"agent", "evidence/nodereport", "evidence/redact", "knowledge/signatures"}},
	"execute":                       {"the only writer: what it does is in a plan first", false, []string{"atomicfile", "evidence/redact", "answers/clusterview", "answers/drain", "answers/plan", "answers/repair", "evidence", "mechanics", "evidence/nodereport", "kube", "triage", "answers/verify", "cloud", "wording"}},
	"ask":                           {"each question once, for all who show answers: it reads, and can change nothing", false, []string{"knowledge/catalog", "answers/diff", "cloud", "cloud/providers", "collect", "collect/bundle", "collect/survey", "answers/drain", "evidence", "triage/ignore", "answers/lists", "kube", "knowledge/logline", "answers/nodes", "evidence/nodereport", "mechanics/placement", "mechanics/placement/scheduler", "answers/plan", "answers/repair", "report", "answers/check", "triage/rules", "knowledge/signatures", "answers/predict", "evidence/anonymize", "answers/timeline", "triage", "answers/upgrade", "answers/verify", "answers/why", "wording"}},
	"mcp":                           {"answers agents in their protocol: it asks, and can change nothing", false, []string{"ask", "answers/check", "answers/drain", "answers/plan", "answers/predict", "answers/upgrade", "answers/verify", "evidence", "evidence/anonymize", "evidence/redact", "knowledge/catalog", "report", "triage", "triage/ignore", "wording"}},
	"cmd/nodetriage":                {"wiring", false, []string{"ask", "mcp", "evidence/redact", "atomicfile", "agent", "knowledge/catalog", "knowledge/catalog/archive", "answers/diff", "cloud", "cloud/azure", "collect", "collect/bundle", "collect/survey", "answers/drain", "evidence", "triage/ignore", "execute", "answers/lists", "kube", "live", "answers/nodes", "evidence/nodereport", "answers/plan", "answers/repair", "report", "answers/check", "knowledge/signatures", "answers/predict", "evidence/anonymize", "cases", "triage", "answers/upgrade", "answers/verify", "answers/why", "wording"}},
	"api":                           {"says what is below it", true, nil},
	"api/v1alpha1":                  {"types for everyone: it imports apimachinery alone", true, nil},
	"controller":                    {"says what is below it", true, nil},
	"controller/diagnosis":          {"a report to what is published of a node: the time is an argument", true, []string{"api/v1alpha1", "evidence", "evidence/redact", "knowledge/catalog", "mechanics", "triage", "wording"}},
	"controller/engine":             {"judges a watched cluster again and again: it reads, and can change nothing", false, []string{"api/v1alpha1", "collect", "collect/survey", "controller/diagnosis", "evidence", "knowledge/catalog", "knowledge/signatures", "kube", "live", "triage", "triage/ignore", "triage/rules"}},
	"controller/access":             {"who may read the pages of the controller: it asks the API server", false, nil},
	"controller/engine/enginetest":  {"small clusters that are judged: only tests import it", false, []string{"collect", "controller/engine", "evidence"}},
	"controller/metrics":            {"what Prometheus reads of the judgements: it writes nothing", false, []string{"api/v1alpha1", "controller/engine", "evidence", "triage"}},
	"controller/nodecondition":      {"writes judgements as one condition of nodes, if the owner wants it", false, []string{"api/v1alpha1", "controller/engine", "evidence", "wording"}},
	"controller/publish":            {"writes judgements as objects of our kind and Events, and nothing else", false, []string{"api/v1alpha1", "controller/diagnosis", "controller/engine", "evidence", "wording"}},
	"controller/upgradegate":        {"answers AKS with the judgements of the engine, if the owner wants it", false, []string{"api/v1alpha1", "cloud/azure/gate", "cloud/azure/gate/health", "cloud/azure/gate/signals", "cloud/azure/gate/upgrade", "controller/engine", "evidence", "triage"}},
	"controller/veto":               {"marks nodes that fail together, if the owner wants it", false, []string{"controller/engine", "evidence"}},
	"controller/alertwebhook":       {"explains alerts: it writes nothing to the cluster", false, []string{"api/v1alpha1", "controller/engine", "evidence", "evidence/bounds", "evidence/redact", "knowledge/shell", "triage", "wording"}},
	"controller/recorded":           {"answers with recorded judgements, for the lab", false, []string{"cases", "cloud/azure/gate", "cloud/azure/gate/signals", "collect", "controller/upgradegate", "evidence", "knowledge/catalog", "knowledge/signatures", "triage", "triage/rules"}},
	"cmd/nodetriage-controller":     {"wiring of the controller", false, []string{"api/v1alpha1", "cloud/azure/gate", "cloud/azure/gate/signals", "controller/alertwebhook", "controller/upgradegate", "controller/access", "controller/engine", "controller/metrics", "controller/nodecondition", "controller/publish", "controller/veto", "evidence/bounds", "kube", "wording"}},
	"accuracy":                      {"measures the program from outside: nothing of the program imports it", false, []string{"knowledge/catalog", "collect", "evidence", "report", "triage/rules", "knowledge/signatures", "cases", "triage"}},
	"accuracy/cmd/accuracy":         {"wiring", false, []string{"accuracy"}},
	"site/picture":                  {"draws the output of a terminal as SVG", true, nil},
	"site":                          {"makes the pages of the site that are no files of docs: it asks the built program, as people do", false, []string{"cases"}},
	"cmd/nodetriage/gendocs":        {"wiring", false, []string{"knowledge/catalog", "knowledge/packed", "answers/diff", "collect/bundle", "answers/drain", "evidence", "answers/lists", "answers/nodes", "evidence/nodereport", "answers/plan", "answers/repair", "report", "answers/check", "triage/rules", "knowledge/signatures", "answers/predict", "triage", "answers/upgrade", "answers/verify", "answers/why"}},
}

// anywhere are packages that know nothing of ours: everyone may import them.
var anywhere = []string{"knowledge/lazyregexp", "evidence/bounds", "evidence/bounds/quantity", "knowledge/shell"}

// impure are imports that a pure package must not have, with the reason.
var impure = map[string]string{
	"os": "files and the environment differ from run to run", "os/exec": "it runs programs", "os/signal": "it listens to the outside",
	"net": "it reaches the network", "net/http": "it reaches the network", "context": "nothing here waits",
	"math/rand": "chance", "math/rand/v2": "chance", "crypto/rand": "chance", "syscall": "the machine", "log": "libraries do not log",
	"log/slog": "libraries do not log",
}

// outside are modules that few may import, with the reason. The first that fits counts.
var outside = []struct {
	prefix, why string
	may         []string
}{
	{"k8s.io/client-go/util/jsonpath", "a language of expressions, and no way to an API server: for those who print", []string{"report"}},
	{"k8s.io/client-go", "one door to the API server: kube; the command line builds its configuration", []string{"kube", "cmd/nodetriage", "cmd/nodetriage-controller", "controller/upgradegate", "controller/recorded", "mechanics/placement/scheduler"}},
	{"sigs.k8s.io/controller-runtime", "only the controller writes without a person who asks", []string{"controller/access", "controller/nodecondition", "controller/publish", "controller/alertwebhook", "controller/upgradegate", "controller/veto", "cmd/nodetriage-controller"}},
	{"github.com/Azure", "one door to Azure", []string{"cloud/azure"}},
	{"k8s.io/cli-runtime", "flags are the command line's", []string{"cmd/nodetriage"}},
	{"github.com/spf13", "cobra and pflag are the command line's: whoever asks a question may have none", []string{"cmd/nodetriage", "cmd/nodetriage-controller"}},
	{"k8s.io/cri-api", "only the agent asks container runtimes", []string{"agent"}},
	{"google.golang.org/grpc", "only the agent asks container runtimes", []string{"agent"}},
	{"github.com/godbus", "only the agent asks systemd", []string{"agent"}},
	{"os/exec", "what a library or the kernel tells is not asked of programs; the command runs the pager of the user", []string{"cmd/nodetriage", "cmd/nodetriage/gendocs", "site", "knowledge/shell/shelltest"}},
	{"github.com/modelcontextprotocol", "one package speaks the protocol of agents", []string{"mcp"}},
	{"aead.dev/minisign", "whose keys are taken is decided in one place", []string{"knowledge/catalog/archive"}},
	{"k8s.io/component-helpers", "how Kubernetes behaves is asked of mechanics", []string{"mechanics"}},
	{"k8s.io/kubernetes", "it is huge and promises no stable API", []string{"mechanics/placement/scheduler"}},
}

// grabBags say nothing about what they hold, so that everything ends there.
var grabBags = []string{"util", "utils", "common", "helper", "helpers", "misc", "types", "pkg", "internal"}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		dir := path.Dir(name)
		r, known := rooms[dir]
		if !known {
			if !seen[dir] {
				t.Errorf("package %s has no place yet: decide in rooms what it is for, whether it is pure and what it may import", dir)
			}
			seen[dir] = true
			return
		}
		seen[dir] = true
		if strings.HasSuffix(name, "_test.go") {
			return // tests may join what the program keeps apart
		}
		for _, imp := range file.Imports {
			to, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			judgeImport(t, name, dir, r, to)
		}
		judgeCalls(t, name, r, file)
	})
	for dir := range rooms {
		if !seen[dir] {
			t.Errorf("rooms speaks of %s, which does not exist any more", dir)
		}
	}
}

// interfacesAlone are rooms that are not pure but hold only words and interfaces for pure ones.
var interfacesAlone = map[string]string{"cloud": "what repairs are named after: a plan calls none of it"}

// A pure room stays so by what its imports import.
func TestPureAllTheWay(t *testing.T) {
	for name, r := range rooms {
		if !r.pure {
			continue
		}
		seen := map[string]bool{}
		var walk func(room, way string)
		walk = func(room, way string) {
			for _, next := range rooms[room].ours {
				if seen[next] {
					continue
				}
				seen[next] = true
				if !rooms[next].pure && interfacesAlone[next] == "" {
					t.Errorf("%s is pure, and reaches %s, which is not, by %s", name, next, way+" -> "+next)
				}
				walk(next, way+" -> "+next)
			}
		}
		walk(name, name)
	}
}

func judgeImport(t *testing.T, name, dir string, r room, to string) {
	t.Helper()
	if ours, ok := strings.CutPrefix(to, module); ok {
		if !slices.Contains(r.ours, ours) && !slices.Contains(anywhere, ours) {
			t.Errorf("%s imports %s, which %s may not: it is %s", name, ours, dir, r.why)
		}
		return
	}
	if why := impure[to]; r.pure && why != "" {
		t.Errorf("%s imports %s (%s), but %s is pure: %s", name, to, why, dir, r.why)
	}
	for _, o := range outside {
		if !strings.HasPrefix(to, o.prefix) {
			continue
		}
		if !slices.Contains(o.may, dir) {
			t.Errorf("%s imports %s: %s", name, to, o.why)
		}
		return
	}
}

// judgeCalls finds clocks in pure packages, and functions that run before main everywhere.
func judgeCalls(t *testing.T, name string, r room, file *ast.File) {
	t.Helper()
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				t.Errorf("%s has an init function: what runs before main is in nobody's sight; list it where it is used", name)
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && r.pure && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"}, n.Sel.Name) {
				t.Errorf("%s calls time.%s, but its package is pure: the time is an argument", name, n.Sel.Name)
			}
		}
		return true
	})
}

func TestNoGrabBags(t *testing.T) {
	for dir := range rooms {
		for _, part := range strings.Split(dir, "/") {
			if slices.Contains(grabBags, part) {
				t.Errorf("package %s: the name %q says nothing about what is in it", dir, part)
			}
		}
	}
}

// eachSource parses every Go file of the module; other modules below it, test data and hidden folders are
// left out.
func eachSource(t *testing.T, visit func(name string, file *ast.File)) {
	t.Helper()
	files := os.DirFS(".")
	err := walkTop(files, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			_, err := fs.Stat(files, path.Join(name, "go.mod"))
			apart := err == nil || slices.Contains([]string{"testdata", "bin", "dist"}, e.Name()) || strings.HasPrefix(e.Name(), ".")
			if apart {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || path.Dir(name) == "." {
			return nil
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
		if err != nil {
			return err
		}
		visit(name, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A cloud is changed from one file alone, where the plan was shown and accepted, and a cluster through what one function
// makes: no command that only reads can get what changes them.
func TestWritersAreMadeOnce(t *testing.T) {
	only := map[string]string{"azure.NewOperator": "cmd/nodetriage/repair_run.go", "kube.NewWriter": "cmd/nodetriage/writer.go"}
	made := map[string]int{}
	eachSource(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := s.X.(*ast.Ident)
			if !ok {
				return true
			}
			what := x.Name + "." + s.Sel.Name
			if where := only[what]; where != "" {
				if made[what]++; name != where {
					t.Errorf("%s calls %s: only %s may", name, what, where)
				}
			}
			return true
		})
	})
	for what := range only {
		if made[what] != 1 {
			t.Errorf("%s is called in %d places", what, made[what])
		}
	}
}
