package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/evidence"
)

// The part of a line that a signature recognised is never cut, wherever it stands and however little room there is.
func TestExcerptKeepsTheHit(t *testing.T) {
	hits := []string{
		"x509: certificate has expired", "one", "größer als erlaubt: ноль", "https://registry.example/v2/pause/manifests/3.9?ns=registry.k8s.io",
		strings.TrimSpace(strings.Repeat("a longer hit ", 30)), strings.Repeat("nospace", 40),
	}
	for _, hit := range hits {
		for _, fill := range []string{"word ", "wörter ", "unbroken"} {
			for _, before := range []int{0, 3, 40} {
				for _, after := range []int{0, 3, 40} {
					line := strings.Repeat(fill, before) + hit + strings.Repeat(" "+fill, after)
					for n := 10; n < 400; n += 7 {
						got := excerpt(line, hit, n)
						if !strings.Contains(got, hit) {
							t.Fatalf("%d characters of %q lack %q: %q", n, line, hit, got)
						}
						if most := max(n, utf8.RuneCountInString(hit)) + 2*(len(ellipsis)+1); utf8.RuneCountInString(got) > most {
							t.Fatalf("%d characters of %q are more than %d: %q", n, line, most, got)
						}
					}
				}
			}
		}
	}
}

func TestProofKeepsTheHit(t *testing.T) {
	const line = `Nov 03 03:58:08 k3s-master k3s[260961]: time="2021-11-03T03:58:08Z" level=fatal msg="flannel exited: operation not supported"`
	for what, hit := range map[string]string{
		"in the body":                 "flannel exited: operation not supported",
		"in the head and the body":    `k3s[260961]: time="2021-11-03T03:58:08Z" level=fatal`,
		"that a bound cut off before": "this was further behind in the line",
	} {
		p := proof{Ref: evidence.Ref{Source: strings.Repeat("folder/", 30) + "k3s.log", Locator: "line 3", Text: line + strings.Repeat(" and more", 80), Hit: hit}}
		if got := p.says(190); !strings.Contains(got, hit) {
			t.Errorf("a hit %s is not shown: %q", what, got)
		}
		if got := p.brief(146); !strings.Contains(got, hit) || utf8.RuneCountInString(got) > 146 {
			t.Errorf("a hit %s is not shown in two rows: %d characters, %q", what, utf8.RuneCountInString(got), got)
		}
	}
}

// Two rows are two rows, also where the hit is longer.
func TestBriefProofIsBounded(t *testing.T) {
	p := proof{Ref: evidence.Ref{Source: "kubelet.log", Locator: "line 3", Text: strings.Repeat("much ", 200), Hit: strings.TrimSpace(strings.Repeat("much ", 150))}}
	if got := p.brief(146); utf8.RuneCountInString(got) > 146 || !strings.HasPrefix(got, "kubelet.log line 3: ") {
		t.Errorf("%d characters: %q", utf8.RuneCountInString(got), got)
	}
}
