package ask

import (
	"strings"
	"testing"
)

// A page is found by its id, by what it explains, or by its words.
func TestExplain(t *testing.T) {
	k := knowing(t)
	for words, want := range map[string]string{
		"":                                  "index",
		"runtime-hung":                      "page runtime-hung",
		"pleg-unhealthy":                    "page pleg-unhealthy",
		"containerd-reserved-name":          "signature containerd-reserved-name",
		"containerd-reserved-nane":          `no page is called "containerd-reserved-nane"; did you mean containerd-reserved-name?`,
		"QuotaExceeded":                     "page cloud-quota-exceeded, also cni-ip-exhausted",
		"AttachDiskWhileBeingDetached":      "page cloud-disk-detach-failed, also volume-detach-stuck",
		"InsufficientFreeAddressesInSubnet": "page cloud-subnet-full, also cni-ip-exhausted",
		"DeadlineExceeded":                  "page deadline-exceeded, also ",
		"kubelet.service":                   "found",
		"OOMKilling":                        "page oom-kill",
		"255":                               "question exit-codes",
		"what is PLEG":                      "question what-is-pleg",
		"can I force a node Ready?":         "question",
		"disk":                              "found",
		"runtime-hunk":                      `no page is called "runtime-hunk"; did you mean runtime-hung?`,
		"xyzzy plugh":                       `no page contains "xyzzy plugh"; nodetriage explain --list lists all pages`,
	} {
		x, err := Explain(k, ExplainOptions{Words: strings.Fields(words)})
		got := ""
		switch {
		case err != nil:
			got = withItsHint(err)
		case x.Page != nil:
			got = "page " + x.Page.ID
			for i, l := range x.Page.Also {
				got += map[bool]string{true: ", also ", false: " "}[i == 0] + l.ID
			}
		case x.Question != nil:
			got = "question " + x.Question.ID
		case x.Signature != nil:
			got = "signature " + x.Signature.ID
		case x.Found != nil:
			got = "found"
		case x.Index != nil:
			got = "index"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
