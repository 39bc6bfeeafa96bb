package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Severity is the effect of a cause on users.
type Severity string

// From the worst to the mildest.
const (
	Critical Severity = "critical" // the node or the cluster is not working
	Error    Severity = "error"    // something is rejected or stuck
	Warning  Severity = "warning"  // it will cause an outage
	Info     Severity = "info"     // normal, worth knowing
)

var severities = []Severity{Critical, Error, Warning, Info}

// Rank orders severities. 0 is the most severe.
func (s Severity) Rank() int { return slices.Index(severities, s) }

// Layers of a node, from the machine up. Cause.Layer is one of them.
var Layers = []string{
	"machine", "kernel", "storage", "runtime", "kubelet", "identity", "network", "control-plane",
	"cloud", "provisioning", "scheduling", "drain", "workload", "monitoring",
}

// Scopes of a finding. Cause.Scope is one of them.
var Scopes = []string{"node", "pod", "workload", "pool", "zone", "cluster"}

// Areas in which nodes are compared: parts of a node's setup, and data from the API and the hardware. Cause.Areas lists some of
// them.
var Areas = []string{
	"kubelet", "units", "runtime", "cni", "registry", "kernel", "modules", "network", "dns", "proxy", "trust", "mounts", "clock",
	"system", "packages", "versions", "devices", "daemonsets", "taints", "labels",
}

// Cause is one page of the catalog.
type Cause struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Asked    []string `json:"asked,omitempty"` // other search terms
	Layer    string   `json:"layer"`
	Severity Severity `json:"severity"`
	Scope    string   `json:"scope"`
	// Impact is what does not work while the cause lasts, as a clause without the object.
	Impact string `json:"impact,omitempty"`
	// Areas lists the Areas of a node's setup that can contain the cause. A difference from a healthy node in these areas
	// explains the cause first. Empty: the areas of its layer.
	Areas    []string `json:"areas,omitempty"`
	Explains []string `json:"explains,omitempty"` // symptoms and causes that are effects of this cause
	// Keeps is what a node cannot do while the cause lasts, as for a symptom. A node that does it later has recovered. Empty:
	// the node may still do everything, though the cause can stop it.
	Keeps string `json:"keeps,omitempty"`
	// Supersedes lists causes whose messages this cause prints too, and causes that this one is a special case of. If both are
	// found, this cause is the answer. It does not necessarily have the effects of the others.
	Supersedes []string `json:"supersedes,omitempty"`
	// Role is set for causes that describe how a node fails, not why.
	Role Role `json:"role,omitempty"`
	// Act: a person did it, at a time that the evidence shows. Later changes did not cause it.
	Act bool `json:"act,omitempty"`
	// Lasts is UntilReboot if a log reports the cause once and it lasts until the machine reboots. Empty: the cause is over
	// when its log continues without it.
	Lasts string `json:"lasts,omitempty"`
	// LastWordsOf lists the components whose exit the cause describes. Their last messages show the reason.
	LastWordsOf []string `json:"lastWordsOf,omitempty"`
	// JudgedBy is the id of a rule that overrides the message, if the evidence contains what the rule needs.
	JudgedBy string `json:"judgedBy,omitempty"`
	// EveryPod: while the cause lasts, no new pod on the node gets a sandbox with a pod network. A pod that gets one ends the
	// cause.
	EveryPod bool `json:"everyPod,omitempty"`
	// Patience is the minimal age of an event of a node. Rejected requests are retried by design.
	Patience metav1.Duration `json:"patience,omitzero"`
	// Variants are the forms of the cause that need different checks, remedies or titles.
	Variants   []Variant `json:"variants,omitempty"`
	Confirm    []Check   `json:"confirm,omitempty"`
	Remedies   []Remedy  `json:"remedies,omitempty"`
	Verify     []Note    `json:"verify,omitempty"`
	Cautions   []Note    `json:"cautions,omitempty"`
	References []string  `json:"references,omitempty"`
	Meaning    string    `json:"-"` // the page's Markdown below the front matter
}

// Variant is one form of a cause. The evidence shows it by one of its signatures, or by its words.
type Variant struct {
	ID string `json:"id"`
	// Title names the form, where the title of the page does not. It is the title of findings that show this form alone.
	Title string `json:"title,omitempty"`
	// Impact replaces the impact of the page, if something else does not work. It needs a title.
	Impact string `json:"impact,omitempty"`
	// Severity replaces the severity of the page; empty: the same.
	Severity   Severity `json:"severity,omitempty"`
	Signatures []string `json:"signatures,omitempty"` // ids
	Said       []string `json:"said,omitempty"`       // words of messages, in lower case
}

// Role relates a cause to others that are found with it.
type Role string

// Roles.
const (
	Shared    Role = "shared"    // nodes fail together: any cause that stops nodes explains it
	Transient Role = "transient" // a node has recovered: any cause that stopped it explains it
	Follows   Role = "follows"   // only on a node that has stopped: any cause that stopped the node explains it, with any certainty
	Worsens   Role = "worsens"   // makes another problem of an object worse: next to another cause there it is not a separate fault
)

var roles = []Role{Shared, Transient, Follows, Worsens}

// UntilReboot is the value of Lasts.
const UntilReboot = "until-reboot"

// ControlPlane is the place that users of a managed service cannot access.
const ControlPlane = "control-plane"

// Places are where commands run. Check.Where and Remedy.Where are one of them.
var Places = []string{
	"node",        // a shell on the node, as root
	"workstation", // a machine with kubectl access to the cluster
	"cloud-cli",   // a machine with a logged-in cloud CLI
	ControlPlane,  // a shell on a machine of the control plane, as root
}

// States that a remedy may need. Remedy.Needs lists some of them.
const (
	Copies    = "copies"    // an additional pod of the workload is a copy of the others: not of a StatefulSet
	Unhealthy = "unhealthy" // the PodDisruptionBudget has pods that are missing or not Ready
	// OtherNodes: there are other nodes, to which pods can move.
	OtherNodes = "other-nodes"
	// SilentRuntime: the runtime answers no CRI client. One that answers crictl has its CRI plugin.
	SilentRuntime = "silent-runtime"
)

// Kubeadm in Remedy.Platforms means nodes of no other distribution.
const Kubeadm = "kubeadm"

// States are the values of Remedy.Needs.
var States = []string{Copies, Unhealthy, OtherNodes, SilentRuntime}

// Check is a read-only command and its result if the cause is true.
type Check struct {
	Run    shell.Text `json:"run"`
	Where  string     `json:"where"` // one of Places
	Expect shell.Text `json:"expect"`
	Fit
}

// Remedy is one way to fix the cause.
type Remedy struct {
	Title string `json:"title"`
	// Short names the remedy in a list. Empty: the first words of the title that are not its condition.
	Short      string       `json:"short,omitempty"`
	Commands   []shell.Text `json:"commands"`
	Where      string       `json:"where"` // one of Places, if there are commands; a command for another place ends with "# on: PLACE"
	Risk       string       `json:"risk"`  // none, low, medium, high
	Disruptive bool         `json:"disruptive"`
	// For is the cause that the remedy fixes, if that is not the page's own. If it is ruled out, the remedy is not shown.
	For string `json:"for,omitempty"`
	// Said lists words in lower case. If the evidence contains one of them, this remedy comes first.
	Said []string `json:"said,omitempty"`
	Fit
	// Needs lists States. If the evidence shows that one of them is not true, the remedy has no effect and is not shown.
	Needs []string `json:"needs,omitempty"`
	// Instead lists commands with other names. Each replaces the command with the same beginning if all its own names are known
	// and that command has no name, or unknown ones.
	Instead []shell.Text `json:"instead,omitempty"`
}

// Symptom is an observation that has many possible causes.
type Symptom struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Asked []string `json:"asked,omitempty"` // other search terms
	Look  string   `json:"look"`            // the evidence that distinguishes its causes
	// Checks are the commands for that evidence if it is in several places, the most useful first.
	Checks []Check `json:"checks,omitempty"`
	// Stops is what is not working if the symptom is seen: Node, or Pods that start or stop there. Empty: neither.
	Stops string `json:"stops,omitempty"`
	// Keeps is what the node cannot do while the symptom lasts: Ready, Answering (the runtime does not answer the kubelet, so
	// the node is NotReady), Reporting (the kubelet does not report, so the node is NotReady too) or Pods (start or stop them).
	// Empty: none of these.
	Keeps string `json:"keeps,omitempty"`
	// Momentary: a component briefly failed at something that it does all the time. A healthy node has recovered from it.
	Momentary bool `json:"momentary,omitempty"`
	// Conditions are node conditions for a shortage. If they are False, the symptom is over.
	Conditions []string `json:"conditions,omitempty"`
	// Patience is the minimal age of an event of a node. Rejected requests are retried by design.
	Patience metav1.Duration `json:"patience,omitzero"`
	// Act: a person did it, as for a cause.
	Act bool `json:"act,omitempty"`
	// Warns: an object reports it about itself, so a warning needs no other evidence.
	Warns bool `json:"warns,omitempty"`
}

// Values of Stops and Keeps.
const (
	Node      = "node"
	Pods      = "pods"
	Ready     = "ready"
	Answering = "answering"
	Reporting = "reporting"
)

// kept are the values of Keeps.
var kept = []string{"", Ready, Answering, Reporting, Pods}

const fence = "---\n"

// parseCause reads the page of a cause.
func parseCause(data []byte) (*Cause, error) {
	var c Cause
	var err error
	if c.Meaning, err = parsePage(data, &c); err != nil {
		return nil, err
	}
	return &c, c.validate()
}

// parsePage reads one page. It decodes the YAML between two lines of dashes into front and returns the Markdown below.
func parsePage(data []byte, front any) (body string, err error) {
	head, body, err := splitPage(data)
	if err != nil {
		return "", err
	}
	if err := bounds.YAMLStrict(head, front); err != nil {
		return "", fmt.Errorf("read front matter: %w", err)
	}
	return body, nil
}

// splitPage returns the front matter of a page and the Markdown below it.
func splitPage(data []byte) (front []byte, body string, err error) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(data, []byte(fence))
	if !ok {
		return nil, "", errors.New("the page must start with a line of three dashes and its front matter")
	}
	head, text, ok := bytes.Cut(rest, []byte("\n"+fence))
	if !ok {
		return nil, "", errors.New("the front matter has no closing line of three dashes")
	}
	return head, string(bytes.TrimSpace(text)), nil
}

func (c *Cause) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.ID == "" || c.Title == "" || c.Meaning == "" {
		bad("id, title and a text below the front matter are required")
	}
	errs = append(errs, c.validateWords()...)
	for _, r := range c.Remedies {
		errs = append(errs, r.validate()...)
	}
	for _, k := range c.Confirm {
		if err := k.validate(); err != nil {
			bad("confirm: %w", err)
		}
	}
	for _, n := range slices.Concat(c.Cautions, c.Verify) {
		if err := n.Fit.validate(); err != nil {
			bad("%q: %w", n.Text, err)
		}
	}
	return errors.Join(append(errs, c.validateVariants())...)
}

// validateWords checks the fields with a fixed set of values.
func (c *Cause) validateWords() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !slices.Contains(Layers, c.Layer) {
		bad("layer %q: use one of %v", c.Layer, Layers)
	}
	if c.Severity.Rank() < 0 {
		bad("severity %q: use one of %v", c.Severity, severities)
	}
	if !slices.Contains(Scopes, c.Scope) {
		bad("scope %q: use one of %v", c.Scope, Scopes)
	}
	if !slices.Contains(kept, c.Keeps) {
		bad("keeps %q: use one of %v", c.Keeps, kept[1:])
	}
	for _, area := range c.Areas {
		if !slices.Contains(Areas, area) {
			bad("area %q: use one of %v", area, Areas)
		}
	}
	if c.Role != "" && !slices.Contains(roles, c.Role) {
		bad("role %q: use one of %v", c.Role, roles)
	}
	if c.Lasts != "" && c.Lasts != UntilReboot {
		bad("lasts %q: use %s", c.Lasts, UntilReboot)
	}
	return errs
}

// validate checks that the remedy is complete, and that the catalog contains what it references.
func (r Remedy) validate() (errs []error) {
	if r.Title == "" || RiskRank(r.Risk) < 0 {
		errs = append(errs, fmt.Errorf("remedy %q: it needs a title and a risk of none, low, medium or high", r.Title))
	}
	if err := errors.Join(r.validatePlaces(), r.Fit.validate()); err != nil {
		errs = append(errs, err)
	}
	for _, need := range r.Needs {
		if !slices.Contains(States, need) {
			errs = append(errs, fmt.Errorf("remedy %q: need %q: use one of %v", r.Title, need, States))
		}
	}
	return errs
}

// Looks returns the commands before the first one that changes something, and the others. What prints a name stays with the command
// that needs it, and what prints the place of an edit stays with the edit.
func (r Remedy) Looks() (looks, acts []shell.Text) {
	at := slices.IndexFunc(r.Commands, func(c shell.Text) bool { return !c.Reads() && !c.PrintsName() })
	if at < 0 {
		return slices.Clone(r.Commands), nil
	}
	if at > 0 && r.Commands[at].EditsPrinted() {
		at--
	}
	for at > 0 && r.Commands[at-1].PrintsName() {
		at--
	}
	return slices.Clone(r.Commands[:at]), r.Commands[at:]
}

// RiskRank returns how high the risk of a remedy is: none is 0; -1: the word is unknown.
func RiskRank(risk string) int { return slices.Index([]string{"none", "low", "medium", "high"}, risk) }

// validateVariants checks that each variant can be detected, and that checks and remedies name variants of the page.
func (c *Cause) validateVariants() error {
	var errs []error
	known, used := map[string]bool{}, map[string]bool{}
	for _, v := range c.Variants {
		if v.ID == "" || len(v.Signatures)+len(v.Said) == 0 {
			errs = append(errs, fmt.Errorf("variant %q: it needs an id, and signatures or words by which it is seen", v.ID))
		}
		if v.Severity != "" && v.Severity.Rank() < 0 {
			errs = append(errs, fmt.Errorf("variant %q: severity %q: use one of %v", v.ID, v.Severity, severities))
		}
		known[v.ID] = true
		used[v.ID] = v.Title != ""
	}
	for _, r := range c.Remedies {
		for _, id := range r.Variants {
			used[id] = true
		}
	}
	for _, k := range c.Confirm {
		for _, id := range k.Variants {
			used[id] = true
		}
	}
	for _, k := range slices.Concat(c.Cautions, c.Verify) {
		for _, id := range k.Variants {
			used[id] = true
		}
	}
	for id := range used {
		if !known[id] {
			errs = append(errs, fmt.Errorf("variant %q: the page has no such variant", id))
		}
	}
	for id := range known {
		if !used[id] {
			errs = append(errs, fmt.Errorf("variant %q: it has no title, and no check or remedy is for it", id))
		}
	}
	return errors.Join(errs...)
}

// NeedsControlPlane reports whether the remedy needs a shell on the control plane.
func (r Remedy) NeedsControlPlane() bool {
	return slices.ContainsFunc(r.Commands, func(command shell.Text) bool { return r.Place(command) == ControlPlane })
}

// validate checks that the symptom is complete.
func (s *Symptom) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("symptoms.yaml: "+s.ID+": "+format, args...))
	}
	if s.Stops != "" && s.Stops != Node && s.Stops != Pods {
		bad("stops %q: use %s or %s", s.Stops, Node, Pods)
	}
	if !slices.Contains(kept, s.Keeps) {
		bad("keeps %q: use one of %v", s.Keeps, kept[1:])
	}
	for _, k := range s.Checks {
		if err := k.validate(); err != nil {
			bad("checks: %w", err)
		}
	}
	return errors.Join(errs...)
}

func (k Check) validate() error {
	if k.Run == "" || k.Expect == "" {
		return errors.New("each entry needs run and expect")
	}
	if !slices.Contains(Places, k.Where) {
		return fmt.Errorf("%q: where is %q: say where it runs, one of %v", k.Run, k.Where, Places)
	}
	return k.Fit.validate()
}

// validatePlaces checks that the remedy has a place for its commands.
func (r Remedy) validatePlaces() error {
	if len(r.Commands) == 0 {
		if r.Where != "" {
			return fmt.Errorf("remedy %q: where is %q, but there is no command", r.Title, r.Where)
		}
		return nil
	}
	if !slices.Contains(Places, r.Where) {
		return fmt.Errorf("remedy %q: where is %q: say where its commands run, one of %v", r.Title, r.Where, Places)
	}
	for _, command := range r.Commands {
		if place := r.Place(command); !slices.Contains(Places, place) {
			return fmt.Errorf("remedy %q: %q ends with the place %q: use one of %v", r.Title, command, place, Places)
		}
	}
	return nil
}

// elsewhere starts the shell comment with which a command of a remedy names another place.
const elsewhere = " # on: "

// marked matches the place of a command in the comment at its end, which can have more.
var marked = lazyregexp.New(` # on: ([a-z-]+)(?:; | *$)`)

// Placed returns a command without the mark of its place, and where it runs.
func (r Remedy) Placed(command shell.Text) (bare shell.Text, place string) {
	m := marked.FindStringSubmatch(string(command))
	if m == nil {
		return command, r.Where
	}
	by := shell.Text(" # ")
	if strings.HasSuffix(string(command), m[0]) {
		by = ""
	}
	return command.Replace(marked, by), m[1]
}

// Place returns where one of the remedy's commands runs.
func (r Remedy) Place(command shell.Text) string {
	if _, place, ok := strings.Cut(string(command), elsewhere); ok {
		return place
	}
	return r.Where
}
