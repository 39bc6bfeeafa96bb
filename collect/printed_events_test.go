package collect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// eventList returns kubectl get events -o json of one cluster, at ten o'clock.
func eventList(events ...string) string {
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(append(events,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"namespace":"kube-node-lease","name":"n1"},"spec":{"renewTime":"2026-11-20T10:00:00.000000Z"}}`), ",") + `]}`
}

func killing(count int, last string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Event","metadata":{"namespace":"shop","name":"web.%s"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web"},`+
		`"type":"Warning","reason":"FailedKillPod","message":"error killing pod: rpc error","count":%d,"lastTimestamp":"2026-11-20T%sZ"}`, last, count, last)
}

const eventsHeader = "NAMESPACE   LAST SEEN   TYPE      REASON          OBJECT    MESSAGE\n"

func eventLine(age string) string {
	return "shop        " + fmt.Sprintf("%-12s", age) + "Warning   FailedKillPod   pod/web   error killing pod: rpc error\n"
}

// An event in two sources is one event, with the exact time if one source has it.
func TestEventsOnce(t *testing.T) {
	described := "Name:         web\nNamespace:    shop\nNode:         n1/10.0.0.1\nEvents:\n  Type     Reason         Age   From     Message\n  ----     ------         ----  ----     -------\n" +
		"  Warning  FailedKillPod  54m   kubelet  error killing pod: rpc error\n"
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"a dump and a table":              {[]string{eventList(killing(1, "09:05:33")), eventsHeader + eventLine("54m")}, "09:05:33"},
		"the table first":                 {[]string{eventsHeader + eventLine("54m"), eventList(killing(1, "09:05:33"))}, "09:05:33"},
		"a table of two minutes later":    {[]string{eventList(killing(1, "09:55:00")), eventsHeader + eventLine("7m")}, "09:55:00"},
		"a series that went on":           {[]string{eventList(killing(5, "09:59:00")), eventsHeader + eventLine("30s (x7 over 10m)")}, "09:59:00"},
		"a dump, a table, a description":  {[]string{eventList(killing(1, "09:05:33")), eventsHeader + eventLine("54m"), described}, "09:05:33"},
		"a table and a description":       {[]string{eventList(), eventsHeader + eventLine("54m") + "\n\n" + described}, "09:06:00"},
		"two of the dump, two of a table": {[]string{eventList(killing(1, "09:05:33"), killing(1, "09:50:00")), eventsHeader + eventLine("54m") + eventLine("10m")}, "09:05:33 09:50:00"},
		"one more in the table":           {[]string{eventList(killing(1, "09:05:33")), eventsHeader + eventLine("54m") + eventLine("20s")}, "09:05:33 09:59:40"},
		"two rows of one table":           {[]string{eventList(), eventsHeader + eventLine("54m") + eventLine("55m")}, "09:05:00 09:06:00"},
		"of another hour":                 {[]string{eventList(killing(1, "09:05:33")), eventsHeader + eventLine("10m")}, "09:05:33 09:50:00"},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{Kind: "file"}, builtin(t))
			for i, f := range c.files {
				b.AddStream(fmt.Sprintf("file-%d", i), strings.NewReader(f))
			}
			var got []string
			for _, e := range b.Snapshot().Data().Events {
				got = append(got, e.Last.Format("15:04:05"))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("events of %s, want %s", s, c.want)
			}
		})
	}
}

// A line that is an event matches once, as the event, and is quoted with its position.
func TestEventLineOnce(t *testing.T) {
	b := collect.NewBuilder(evidence.Source{Kind: "file"}, builtin(t))
	b.AddStream("events.txt", strings.NewReader(eventsHeader+"shop   54m   Warning   FailedCreatePodSandBox   pod/web   Failed to create pod sandbox: plugin type=\"bridge\" failed (add): failed to find plugin \"bridge\" in path [/opt/cni/bin]\n"))
	seen := map[string]int{}
	for _, m := range b.Snapshot().Data().Matches {
		seen[m.Signature]++
		if m.Ref.Source != "events.txt" || m.Ref.Locator != "line 2" || m.Kind != evidence.TextEvent {
			t.Errorf("%s: a %s at %s %s", m.Signature, m.Kind, m.Ref.Source, m.Ref.Locator)
		}
	}
	for id, n := range seen {
		if n > 1 {
			t.Errorf("%s: %d times", id, n)
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was recognised")
	}
}
