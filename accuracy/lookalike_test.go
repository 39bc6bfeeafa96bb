package accuracy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// lookAlikes are texts with the words of a component that another writer wrote, by kind.
var lookAlikes = map[string]func(words string) fstest.MapFS{
	"the log of a Java application": func(words string) fstest.MapFS {
		return files("podlogs/shop/web-0/web.log", strings.Repeat("2026-05-14 09:12:11.402  INFO 1 --- [nio-8080-exec-3] c.example.shop.Orders : order placed\n", 20)+
			"2026-05-14 09:12:13.120 ERROR 1 --- [nio-8080-exec-3] c.example.shop.Orders : "+words+"\n")
	},
	"the log of an application in JSON": func(words string) fstest.MapFS {
		return files("podlogs/shop/web-0/web.log", strings.Repeat(`{"ts":"2026-05-14T09:12:11Z","level":"info","logger":"shop.orders","msg":"order placed"}`+"\n", 20)+
			`{"ts":"2026-05-14T09:12:13Z","level":"error","logger":"shop.orders","msg":`+inQuotes(words)+"}\n")
	},
	"an annotation and a variable of a pod": func(words string) fstest.MapFS {
		return files("pods.json", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop","annotations":{"example.com/note":`+inQuotes(words)+
			`}},"spec":{"nodeName":"n1","containers":[{"name":"web","image":"web:1","env":[{"name":"HINT","value":`+inQuotes(words)+`}]}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}]}`)
	},
	"a command that somebody ran": func(words string) fstest.MapFS {
		return files("syslog", "May 14 09:12:11 n1 sudo[4211]: pam_unix(sudo:session): session opened for user root(uid=0) by ops(uid=1000)\n"+
			"May 14 09:12:13 n1 sudo[4211]:      ops : TTY=pts/0 ; PWD=/root ; USER=root ; COMMAND=/usr/bin/grep "+words+" /var/log/old\n")
	},
	"a note of an operator of applications": func(words string) fstest.MapFS {
		return files("events.json", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Event","metadata":{"name":"web-0.1","namespace":"shop"},"type":"Normal","reason":"Note","message":`+inQuotes(words)+
			`,"source":{"component":"shop-operator"},"involvedObject":{"kind":"Deployment","namespace":"shop","name":"web"},"count":1,"lastTimestamp":"2026-05-14T09:12:13Z"}]}`)
	},
}

func files(name, text string) fstest.MapFS { return fstest.MapFS{name: {Data: []byte(text)}} }

func inQuotes(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return string(data)
}

// examplesIn returns, for each signature, the first suitable text of a case that it matches, as one line.
func examplesIn(w *World, willDo func(text string) bool) map[string]string {
	out := map[string]string{}
	for _, c := range w.Cases {
		for _, m := range c.Base().matches {
			text := strings.Join(strings.Fields(logline.Body(m.Ref.Text)), " ")
			if out[m.Signature] == "" && willDo(text) {
				out[m.Signature] = text
			}
		}
	}
	return out
}

// No signature that certainly names a cause matches if another writer wrote its words: an application, a field of an object, a
// command.
func TestWordsOfOthersAreNoProof(t *testing.T) {
	w := sharedWorld(t)
	examples := examplesIn(w, func(string) bool { return true })
	tried, unmet := 0, 0
	for _, sig := range w.Engine.signatures.All() {
		words := examples[sig.ID]
		switch {
		case sig.Certainty != signatures.Certain:
			continue
		case words == "":
			unmet++
			continue
		}
		tried++
		for form, make := range lookAlikes {
			for _, f := range w.Engine.Judge(make(words)).Report.Findings {
				if f.Certainty != triage.Possible && !w.Engine.ofApplications(words, f.Cause) {
					t.Errorf("%s, in %s: %s, %s: %s", sig.ID, form, f.Cause, f.Certainty, fmt.Sprintf("%.200s", words))
				}
			}
		}
	}
	t.Logf("%d signatures in %d forms; of %d no case has the words", tried, len(lookAlikes), unmet)
	if tried < 200 {
		t.Errorf("only %d signatures were tried", tried)
	}
}

// ofApplications reports whether applications report the cause in these words, as the webhook that rejects an eviction does.
func (e *Engine) ofApplications(words, cause string) bool {
	return slices.ContainsFunc(e.signatures.Match(words, ""), func(t signatures.Tally) bool {
		return t.Signature.Says == cause && slices.Contains(t.Signature.Speakers, logline.Application)
	})
}
