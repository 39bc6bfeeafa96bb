package accuracy

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// textOfCase returns all files of a case.
func textOfCase(c *Case) string {
	var out strings.Builder
	files := c.Files.FS()
	_ = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		out.WriteString(path + "\n" + string(data) + "\n")
		return err
	})
	return out.String()
}

var (
	typedCommand = regexp.MustCompile(`(?m)^[^\n]{0,60}[$#] +(?:sudo )?([a-z][^\n]+)\n([^\n]*)`)
	failedOutput = regexp.MustCompile(`(?i)^(?:\S+: )?(?:error|fatal|failed|unable to|cannot|could not|the connection to)|command not found`)
	pulled       = regexp.MustCompile(`^(?:\S*/)?(?:crictl|docker|ctr|podman)\b.* pull (\S+)`)
)

// repeated returns the first commands of the first check and of each fix that failed in the evidence.
func repeated(f *triage.Finding, said string) (out []string) {
	failed := map[string]bool{}
	for _, m := range typedCommand.FindAllStringSubmatch(said, -1) {
		if failedOutput.MatchString(m[2]) {
			failed[strings.Join(strings.Fields(m[1]), " ")] = true
		}
	}
	noPull := strings.Contains(strings.ToLower(saidOf(f)), "pull")
	for _, c := range firstCommands(f) {
		m := pulled.FindStringSubmatch(c)
		if failed[c] || noPull && m != nil && strings.Contains(saidOf(f), m[1]) {
			out = append(out, "the evidence shows that this failed, and it is advised: "+c)
		}
	}
	return out
}

// firstCommands returns the commands that a reader would run first: of the first check, and of each fix.
func firstCommands(f *triage.Finding) (out []string) {
	add := func(list []shell.Text) {
		if i := slices.IndexFunc(list, func(c shell.Text) bool { return !c.PrintsName() }); i >= 0 {
			run, _ := list[i].Unmarked()
			out = append(out, string(run))
		}
	}
	var checks []shell.Text
	for _, c := range f.Confirm {
		checks = append(checks, c.Run)
	}
	add(checks)
	for _, r := range f.Remedies {
		add(r.Commands)
	}
	return out
}

// aliases are words of texts about a product, in lower case, next to its names.
var aliases = map[string][]string{
	"Azure":   {"azure", "aks", "vmss", "microsoft.", "azmk8s", "azurecr", "az vm", "omsagent", "acs-", "k8s-agent", "(azure-"},
	"AWS":     {"aws", "eks", "ec2", "amazon", "compute.internal", "ecr", "ebs", "kops"},
	"GCP":     {"gke", "gce", "google", "gcp", "gcr.io"},
	"Docker":  {"docker", "error response from daemon", "minikube"},
	"CRI-O":   {"crio", "cri-o", "openshift", "coreos", "pinging container registry"},
	"Windows": {"windows", ".exe", "hcs", "operating system"},
}

// foreignProducts returns the sentences of the advice that name only products that the evidence does not name.
func foreignProducts(f *triage.Finding, said string) (out []string) {
	said = strings.ToLower(said)
	there := func(p *catalog.Product) bool {
		words := slices.Concat(p.Signs, aliases[p.Called[0]])
		for _, name := range p.Called {
			words = append(words, strings.ToLower(name))
		}
		return p.Runtime == "containerd" || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	}
	for _, e := range f.Evidence {
		said += e.Signature + "\n" // its name begins with that of the cloud whose message it is
	}
	for _, text := range advised(f) {
		for _, sentence := range shell.Sentences(text) {
			if named := catalog.ProductsIn(sentence); len(named) > 0 && !slices.ContainsFunc(named, there) {
				out = append(out, "the evidence has no word of the product: "+sentence)
			}
		}
	}
	return out
}

// chosen are the fixes that the evidence selects by its words or by a form of the cause, which show the product.
var chosen = func() map[string]bool {
	out := map[string]bool{}
	pages, err := catalog.Builtin()
	if err != nil {
		return nil // other tests fail then
	}
	for _, c := range pages.Causes() {
		for _, r := range c.Remedies {
			out[c.ID+r.Title] = len(r.When)+len(r.Said)+len(r.Variants)+len(r.Platforms) > 0
		}
	}
	return out
}()

// advised returns the texts of all checks, fixes and cautions of a finding.
func advised(f *triage.Finding) (out []string) {
	for _, c := range f.Confirm {
		out = append(out, string(c.Expect))
	}
	for _, r := range f.Remedies {
		if !chosen[f.Cause+r.Title] {
			out = append(out, r.Title)
		}
	}
	return append(out, shell.Strings(f.Cautions)...)
}

var (
	fixRow  = regexp.MustCompile(`(?s)\nFIX +(.*?)\(risk: `)
	rowEnds = regexp.MustCompile(`\s+\((risk:)\s+`)
)

// cutFixes returns what the screen hides of its fixes: a sentence that ends in its middle, or a number without names.
func cutFixes(screen string, f *triage.Finding) (out []string) {
	m := fixRow.FindStringSubmatch(rowEnds.ReplaceAllString(screen, " ($1 "))
	if len(f.Remedies) > 0 && m == nil {
		return []string{"the first fix has no risk:\n" + screen}
	}
	if m != nil && strings.Contains(m[1], "...") && !strings.Contains(f.Remedies[0].Title, "...") {
		out = append(out, "the first fix is cut: "+m[1])
	}
	if regexp.MustCompile(`more fix(?:es)?: -o wide`).MatchString(screen) {
		out = append(out, "the other fixes have no names:\n"+screen)
	}
	return out
}
