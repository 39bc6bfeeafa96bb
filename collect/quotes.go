package collect

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// quote is a part of a message that repeats text of another author.
type quote struct {
	from, to int
	channel  evidence.Channel
}

// frame is the pattern with which a component quotes another author. Each group of the expression is a quote.
type frame struct {
	channel evidence.Channel
	about   *prefilter.Regexp // nil: messages about anything
	re      *prefilter.Regexp
	but     *lazyregexp.Regexp // text that comes from the component after all; nil: none
}

// quoted matches a string in double quotes with escaped quotes inside, or one whose own quotes are escaped.
const quoted = `(?:"((?:[^"\\]|\\.)*)|\\+"((?:[^"\\]|\\+[^"\\])*))`

// aboutImages matches messages about an image pull.
var aboutImages = prefilter.MustCompile(`(?i)pull|manifest|registry|image`)

// clientOfProbe matches the messages of the kubelet's HTTP, TCP and gRPC probes that contain no response (k8s.io/kubernetes
// pkg/probe v1.36.3, net/http).
var clientOfProbe = lazyregexp.New(`^(?:Get \\*"https?://[^"\s\\]{1,500}\\*": )?(?:(?:dial|read|write) tcp [0-9a-f.:\[\]>-]{3,120}: )?` +
	`(?:i/o timeout|EOF|(?:connect|read|write): [a-z]+(?: [a-z]+){0,4}|net/http: [a-zA-Z ]{1,80}(?: \(Client\.Timeout exceeded while awaiting headers\))?|` +
	`context deadline exceeded(?: \(Client\.Timeout exceeded while awaiting headers\))?|HTTP probe failed with statuscode: \d{3}|timeout: failed to connect service \S{1,80} within \S{1,20}(?:: [a-z ]{1,60})?)\W*$`)

// frames of the kubelet, API server and container runtimes (kubernetes pkg/kubelet/prober, lifecycle, images and kuberuntime
// v1.36.3; apiserver pkg/admission/plugin/webhook/errors; containerd v2.1, cri-o v1.33, moby v28).
var frames = []frame{
	{channel: evidence.ProbeOutput, re: prefilter.MustCompile(`(?s)\b(?:Liveness|Readiness|Startup) probe (?:failed|warning)\b[^:\n]{0,80}: (.+)$`), but: clientOfProbe},
	{channel: evidence.ProbeOutput, re: prefilter.MustCompile(`\boutput=` + quoted), but: clientOfProbe},
	{channel: evidence.HookOutput, re: prefilter.MustCompile(`(?s)\blifecycle hook \((.+)$`)},
	{channel: evidence.HookOutput, re: prefilter.MustCompile(`(?s)\bcommand '(.+' exited with .+)$`)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`(?s)&Container\{(.+?)(?:\} start failed in pod|$)`)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`(?s)\bnon-numeric user \((.+)\)`)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`(?s)\b(?:default image tag|parse image name) (.+)$`)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`\b(?:pulling|pulled|pull|unpack|present|find|inspect) image(?: name)? ` + quoted)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`\b(?:resolve reference|image name|container image|Image|PullImage) ` + quoted)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`\b(?:exec: |chdir to cwd \(|stat |to rootfs at )` + quoted), but: lazyregexp.New(`^\S*$`)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`(?s)\blayer\b.{0,600}?: (?:open|lchown|mkdir|symlink|link|mknod|lsetxattr|write|unlinkat|chmod|chtimes|utimensat|remove|rename) (.+): [^:]+(?:: unknown)?$`), but: lazyregexp.New(`^\S*$`)},
	{channel: evidence.WebhookAnswer, re: prefilter.MustCompile(`(?s)\badmission webhook \\*"[^"\\]{1,260}\\*" denied the request: (.+)$`)},
	{channel: evidence.RegistryAnswer, about: aboutImages, re: prefilter.MustCompile(`(?s)\b(?:response body|server message): (.+)$`)},
	{channel: evidence.RegistryAnswer, about: aboutImages, re: prefilter.MustCompile(`(?s)\b(?:denied|unauthorized|toomanyrequests|(?:manifest|name|blob) unknown|unsupported|(?:tag|name|manifest|digest|size) invalid): (.+)$`)},
	{channel: evidence.RegistryAnswer, about: aboutImages, re: prefilter.MustCompile(`(?s): unknown: (.+)$`)},
	{channel: evidence.RegistryAnswer, about: aboutImages, re: prefilter.MustCompile(`(?s)\bstatus(?: code)?\b[^\n]{0,600}?[: ][1-5]\d\d (.+)$`)},
	{channel: evidence.RegistryAnswer, re: prefilter.MustCompile(`\bcandidate authority certificate ` + quoted)},
	{channel: evidence.PodSpec, re: prefilter.MustCompile(`\bsegfault at .{0,120} in (.+)\[[0-9a-f]+\+[0-9a-f]+\]`)}, // the kernel names the file of the program
}

// ofSandbox matches messages about the sandbox of a pod. The configuration of the node names its image.
var ofSandbox = lazyregexp.New(`(?i)sandbox image|create (?:a )?(?:pod )?sandbox|creating pod sandbox|RunPodSandbox|CreatePodSandbox|start sandbox|failed pulling image`)

// quotesIn returns the quotes in a message, in order. spec are texts of the pod that the message is about.
func quotesIn(text string, spec []string) []quote {
	var out []quote
	folded := prefilter.NewText(text)
	for _, f := range frames {
		out = f.quotes(folded, out)
	}
	for _, words := range spec {
		for from := 0; ; {
			i := strings.Index(text[from:], words)
			if i < 0 {
				break
			}
			out = append(out, quote{from + i, from + i + len(words), evidence.PodSpec})
			from += i + len(words)
		}
	}
	slices.SortStableFunc(out, func(a, b quote) int { return a.from - b.from })
	if len(out) > 0 && ofSandbox.MatchString(unquoted(text, out, masked, func(quote) bool { return true })) {
		out = slices.DeleteFunc(out, func(q quote) bool { return q.channel == evidence.PodSpec })
	}
	return out
}

// quotes appends the quotes of the frame.
func (f *frame) quotes(t *prefilter.Text, to []quote) []quote {
	found := f.re.FindAll(t, 10)
	if len(found) > 0 && f.about != nil && !f.about.Match(t) {
		return to
	}
	text := t.String()
	for _, at := range found {
		for i := 2; i+1 < len(at); i += 2 {
			if at[i] < 0 || at[i] == at[i+1] || f.but != nil && f.but.MatchString(text[at[i]:at[i+1]]) {
				continue
			}
			to = append(to, quote{at[i], at[i+1], f.channel})
		}
	}
	return to
}

// masked replaces quoted text.
const masked = "…"

// unquoted returns the text without the quotes that leave selects.
func unquoted(text string, quotes []quote, by string, leave func(quote) bool) string {
	var b strings.Builder
	end := 0
	for _, q := range quotes {
		if !leave(q) || q.to <= end {
			continue
		}
		if q.from > end {
			b.WriteString(text[end:q.from])
		}
		b.WriteString(by)
		end = q.to
	}
	b.WriteString(text[end:])
	return b.String()
}
