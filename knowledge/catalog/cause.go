package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Severity is what a cause does to users.
type Severity string

// From the worst to the mildest.
const (
	Critical Severity = "critical" // the node or the cluster does not work
	Error    Severity = "error"    // something is refused or stuck
	Warning  Severity = "warning"  // it will hurt
	Info     Severity = "info"     // normal, worth knowing
)

var severities = []Severity{Critical, Error, Warning, Info}

// Rank orders severities: 0 is the worst.
func (s Severity) Rank() int { return slices.Index(severities, s) }

// Layers of a node, from the machine up; Cause.Layer is one of them.
var Layers = []string{
	"machine", "kernel", "storage", "runtime", "kubelet", "identity", "network", "control-plane",
	"cloud", "provisioning", "scheduling", "drain", "workload", "monitoring",
}

// Scopes a finding may name; Cause.Scope is one of them.
var Scopes = []string{"node", "pod", "workload", "pool", "zone", "cluster"}

// Areas in which nodes are compared: those of a node's setup, and what the API and the hardware tell; Cause.Areas are of these.
var Areas = []string{
	"kubelet", "units", "runtime", "cni", "registry", "kernel", "modules", "network", "dns", "proxy", "trust", "mounts", "clock",
	"system", "packages", "versions", "devices", "daemonsets", "taints", "labels",
}

// Cause is one page of the catalogue.
type Cause struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Asked    []string `json:"asked,omitempty"` // other words by which people look for it
	Layer    string   `json:"layer"`
	Severity Severity `json:"severity"`
	Scope    string   `json:"scope"`
	// Areas are those of a node's setup in which it can lie, of the list Areas: what differs there from a healthy node explains
	// it first. Empty: those of its layer.
	Areas    []string `json:"areas,omitempty"`
	Explains []string `json:"explains,omitempty"` // symptoms and causes that this one brings about
	// Keeps is what no node can do while it lasts, as of a symptom: a node that does it since has got over it. Empty: a node may
	// go on, though the cause can stop it.
	Keeps string `json:"keeps,omitempty"`
	// Supersedes are causes whose messages this one prints too, or of which it is a special case. Where both are found this
	// one is the answer; what the others bring about it need not bring about.
	Supersedes []string `json:"supersedes,omitempty"`
	// Role is set for causes that say only how a node fails, not why.
	Role Role `json:"role,omitempty"`
	// Act: somebody did it, at a time that the evidence tells. What began later did not lead to it.
	Act bool `json:"act,omitempty"`
	// Lasts is UntilReboot for what a log tells once and what is so until the machine is restarted; empty: for what is over
	// when its log goes on without it.
	Lasts string `json:"lasts,omitempty"`
	// LastWordsOf are the components of whose end it speaks: what they said last tells why.
	LastWordsOf []string `json:"lastWordsOf,omitempty"`
	// JudgedBy is the id of a rule that knows better than the words of a message, where the evidence has what it asks.
	JudgedBy string `json:"judgedBy,omitempty"`
	// EveryPod: while it lasts no pod made on the node gets a sandbox with a network of its own, so that one that does ends it.
	EveryPod bool `json:"everyPod,omitempty"`
	// Patience is how old an event of a node must be to count: what is refused is tried again by design.
	Patience metav1.Duration `json:"patience,omitzero"`
	// Variants are the forms of the cause that ask for different checks, remedies or titles.
	Variants   []Variant    `json:"variants,omitempty"`
	Confirm    []Check      `json:"confirm,omitempty"`
	Remedies   []Remedy     `json:"remedies,omitempty"`
	Verify     []shell.Text `json:"verify,omitempty"`
	Cautions   []shell.Text `json:"cautions,omitempty"`
	References []string     `json:"references,omitempty"`
	Meaning    string       `json:"-"` // the page's Markdown below the front matter
}

// Variant is one form of a cause. The evidence shows it if one of its signatures reported the cause, or by its words.
type Variant struct {
	ID string `json:"id"`
	// Title names the form, where the title of the page does not. It is the title of findings that show this form alone.
	Title      string   `json:"title,omitempty"`
	Signatures []string `json:"signatures,omitempty"` // ids
	Said       []string `json:"said,omitempty"`       // words of messages, in lower case
}

// Role is what a cause is beside others that are found with it.
type Role string

// The roles.
const (
	Shared    Role = "shared"    // nodes fail together: whatever stops nodes explains it
	Transient Role = "transient" // a node has come back: whatever stopped it explains it
	Follows   Role = "follows"   // it is so only where a node has stopped: whatever stopped it explains it, however sure that is
	Worsens   Role = "worsens"   // it makes the trouble of an object worse: beside another cause there it is no fault of its own
)

var roles = []Role{Shared, Transient, Follows, Worsens}

// UntilReboot is the value of Lasts.
const UntilReboot = "until-reboot"

// ControlPlane is the place that nobody has on a managed service.
const ControlPlane = "control-plane"

// Places are where commands run; Check.Where and Remedy.Where are one of them.
var Places = []string{
	"node",        // a shell on the node, as root
	"workstation", // where kubectl reaches the cluster
	"cloud-cli",   // where the cloud's command line is logged in
	ControlPlane,  // a shell on a machine of the control plane, as root
}

// The states that a remedy may need; Remedy.Needs are of these.
const (
	Copies    = "copies"    // one pod more of the workload is a copy of the others: not of a StatefulSet
	Unhealthy = "unhealthy" // the budget has pods that are missing or not Ready
	// OtherNodes: there are other nodes, to which pods can move.
	OtherNodes = "other-nodes"
)

// Kubeadm stands in Remedy.Platforms for nodes of no other distribution.
const Kubeadm = "kubeadm"

// States are the values of Remedy.Needs.
var States = []string{Copies, Unhealthy, OtherNodes}

// Check is a read-only command and what it shows if the cause holds.
type Check struct {
	Run    shell.Text `json:"run"`
	Where  string     `json:"where"` // one of Places
	Expect shell.Text `json:"expect"`
	// Variants are those of the cause that the check is for, as of a remedy. Empty: all.
	Variants []string `json:"variants,omitempty"`
}

// Remedy is one way to cure the cause.
type Remedy struct {
	Title      string       `json:"title"`
	Commands   []shell.Text `json:"commands"`
	Where      string       `json:"where"` // one of Places, where there are commands; one that runs elsewhere ends with "# on: PLACE"
	Risk       string       `json:"risk"`  // none, low, medium, high
	Disruptive bool         `json:"disruptive"`
	// For is the cause that the remedy is against, where it is not the page's own: it is not told where that is ruled out.
	For string `json:"for,omitempty"`
	// Said are words in lower case: where the evidence has one of them, this remedy comes before the others.
	Said []string `json:"said,omitempty"`
	// Unless are words in lower case: where the evidence of the cause or of what it brings about has one of them, this remedy is of
	// no use and is not told.
	Unless []string `json:"unless,omitempty"`
	// When are such words too: this remedy is told only where the evidence has one of them.
	When []string `json:"when,omitempty"`
	// Variants are those of the cause that the remedy is for: where the evidence shows others only, it is of no use and is not shown.
	// Empty: all.
	Variants []string `json:"variants,omitempty"`
	// Platforms are those of platforms.yaml that the remedy is for: it is shown only where the evidence shows one of them. Empty: all.
	Platforms []string `json:"platforms,omitempty"`
	// Needs are States: where the evidence tells that one of them is not so, this remedy is of no use and is not told.
	Needs []string `json:"needs,omitempty"`
	// Instead are commands by other names: each takes the place of the one with the same beginning where all of its names are known
	// and that one has none, or not all of its own are.
	Instead []shell.Text `json:"instead,omitempty"`
}

// Symptom is something seen that has many causes.
type Symptom struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Asked []string `json:"asked,omitempty"` // other words by which people look for it
	Look  string   `json:"look"`            // the evidence that would tell its causes apart
	// Checks are the commands for it where it is more than one place, in the order in which they tell most.
	Checks []Check `json:"checks,omitempty"`
	// Stops is what does not work where it is seen: Node, or Pods that are to start or to end there; empty: neither.
	Stops string `json:"stops,omitempty"`
	// Keeps is what the node cannot do while it lasts: Ready, Answering (its runtime does not answer the kubelet, so that it is not
	// Ready), Reporting (its kubelet does not report, so that it is not Ready either) or Pods (start or end them); empty: none of these.
	Keeps string `json:"keeps,omitempty"`
	// Momentary: a component could not do for a moment what it does all the time, which a node that is well has got over.
	Momentary bool `json:"momentary,omitempty"`
	// Conditions are those by which a kubelet says that something is short: False, they end the symptom.
	Conditions []string `json:"conditions,omitempty"`
	// Patience is how old an event of a node must be to count: what is refused is tried again by design.
	Patience metav1.Duration `json:"patience,omitzero"`
	// Act: somebody did it, as of a cause.
	Act bool `json:"act,omitempty"`
	// Warns: an object reports it about itself, so that no other evidence is needed for a warning.
	Warns bool `json:"warns,omitempty"`
}

// The values of Stops and Keeps.
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

// parsePage reads one page: YAML between two lines of dashes goes into front, the Markdown below is returned.
func parsePage(data []byte, front any) (body string, err error) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(data, []byte(fence))
	if !ok {
		return "", errors.New("the page must start with a line of three dashes and its front matter")
	}
	head, text, ok := bytes.Cut(rest, []byte("\n"+fence))
	if !ok {
		return "", errors.New("the front matter has no closing line of three dashes")
	}
	if err := bounds.YAMLStrict(head, front); err != nil {
		return "", fmt.Errorf("read front matter: %w", err)
	}
	return string(bytes.TrimSpace(text)), nil
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
	return errors.Join(append(errs, c.validateVariants())...)
}

// validateWords checks the fields that take one of a few words.
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

// validate checks that the remedy is complete, and that the catalogue knows what it needs.
func (r Remedy) validate() (errs []error) {
	if r.Title == "" || !slices.Contains([]string{"none", "low", "medium", "high"}, r.Risk) {
		errs = append(errs, fmt.Errorf("remedy %q: it needs a title and a risk of none, low, medium or high", r.Title))
	}
	if err := r.validatePlaces(); err != nil {
		errs = append(errs, err)
	}
	for _, need := range r.Needs {
		if !slices.Contains(States, need) {
			errs = append(errs, fmt.Errorf("remedy %q: need %q: use one of %v", r.Title, need, States))
		}
	}
	return errs
}

// validateVariants checks that each variant can be seen, and that checks and remedies name those of the page.
func (c *Cause) validateVariants() error {
	var errs []error
	known, used := map[string]bool{}, map[string]bool{}
	for _, v := range c.Variants {
		if v.ID == "" || len(v.Signatures)+len(v.Said) == 0 {
			errs = append(errs, fmt.Errorf("variant %q: it needs an id, and signatures or words by which it is seen", v.ID))
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

// NeedsControlPlane reports whether the remedy is of no use without a shell on the control plane.
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
	return nil
}

// validatePlaces checks that the remedy says where its commands run.
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

// elsewhere begins the shell comment by which a command of a remedy names another place than the remedy does.
const elsewhere = " # on: "

// Place returns where one of the remedy's commands runs.
func (r Remedy) Place(command shell.Text) string {
	if _, place, ok := strings.Cut(string(command), elsewhere); ok {
		return place
	}
	return r.Where
}
