package collect

import "testing"

// FuzzQuotes checks that quotes are ordered parts of the message, and that removing them terminates.
func FuzzQuotes(f *testing.F) {
	f.Add(`Readiness probe failed: HTTP probe failed with statuscode: 500`, "a")
	f.Add(`Exec lifecycle hook ([sh -c x]) for Container "c" failed - error: command 'sh' exited with 1: no, message: "no"`, "sh -c x")
	f.Add(`failed to pull and unpack image "a": unexpected status from HEAD request to https://a/v2: 403 Forbidden`, "")
	f.Fuzz(func(t *testing.T, text, spec string) {
		var words []string
		if spec != "" {
			words = append(words, spec)
		}
		last := 0
		quotes := quotesIn(text, words)
		for _, q := range quotes {
			if q.from < last || q.to < q.from || q.to > len(text) {
				t.Fatalf("%q: %v is no part of it behind %d", text, q, last)
			}
			last = q.from
		}
		left := unquoted(text, quotes, "", func(quote) bool { return true })
		if len(left) > len(text) {
			t.Errorf("%q becomes longer: %q", text, left)
		}
	})
}
