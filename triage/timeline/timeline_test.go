package timeline_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

var noon = time.Date(2026, 6, 2, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) *time.Duration { return &d }

// line returns a match of one log line.
func line(source string, number int, text string) *evidence.Match {
	return &evidence.Match{Ref: evidence.Ref{Source: source, Text: text}, Line: number, LastLine: number, Count: 1}
}

// The later of two messages is found by the best available order: lines of one source, events, clocks of logs, times.
func TestLater(t *testing.T) {
	event := func(at time.Time, since *time.Duration) *evidence.Match {
		return &evidence.Match{Event: &evidence.Event{Last: at, Ago: since}}
	}
	timed := func(at time.Time) *evidence.Match { return &evidence.Match{Last: at} }
	other := line("kubelet.log", 9, "x")
	other.Block = 2
	for _, c := range []struct {
		name   string
		m, end *evidence.Match
		want   bool
	}{
		{"lines of one source", line("kubelet.log", 3, "x"), line("kubelet.log", 9, "y"), true},
		{"lines of one source, turned round", line("kubelet.log", 9, "x"), line("kubelet.log", 3, "y"), false},
		{"lines of two outputs in one source", line("kubelet.log", 3, "x"), other, false},
		{"clocks of two logs", line("kubelet.log", 9, "I0602 12:00:00.000000 1 a.go:1] x"), line("containerd.log", 3, "I0602 12:00:05.000000 1 b.go:1] y"), true},
		{"clocks of two logs, turned round", line("kubelet.log", 3, "I0602 12:00:05.000000 1 a.go:1] x"), line("containerd.log", 9, "I0602 12:00:00.000000 1 b.go:1] y"), false},
		{"events with times", event(noon, nil), event(noon.Add(time.Second), nil), true},
		{"events with ages", event(time.Time{}, ago(10*time.Minute)), event(time.Time{}, ago(time.Minute)), true},
		{"an event with a time and one with an age", event(noon, nil), event(time.Time{}, ago(time.Minute)), false},
		{"times", timed(noon), timed(noon.Add(time.Second)), true},
		{"no time", timed(time.Time{}), timed(noon), false},
	} {
		if got := timeline.Later(c.m, c.end); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A message from the morning is no evidence for the afternoon.
func TestLongBefore(t *testing.T) {
	first := line("a.log", 1, "I0602 08:00:00.000000 1 a.go:1] x")
	for text, want := range map[string]bool{
		"I0602 08:10:00.000000 1 a.go:1] y": false,
		"I0602 08:20:00.000000 1 a.go:1] y": true,
		"a line without a clock":            false,
	} {
		if got := timeline.LongBefore(first, line("b.log", 1, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if timeline.LongBefore(first, &evidence.Match{Event: &evidence.Event{Last: noon}}) {
		t.Error("an event has no line")
	}
}

// One signature covers another if it matched all of its lines.
func TestCovers(t *testing.T) {
	of := func(source string, from, to, count int) *evidence.Match {
		return &evidence.Match{Ref: evidence.Ref{Source: source}, Line: from, LastLine: to, Count: count}
	}
	b := of("a.log", 3, 9, 4)
	for _, c := range []struct {
		name string
		a    *evidence.Match
		want bool
	}{
		{"the same", of("a.log", 3, 9, 4), true},
		{"more", of("a.log", 1, 12, 7), true},
		{"not as often", of("a.log", 1, 12, 3), false},
		{"not to the last", of("a.log", 1, 8, 7), false},
		{"begins later", of("a.log", 4, 12, 7), false},
		{"another source", of("b.log", 1, 12, 7), false},
	} {
		if got := timeline.Covers(c.a, b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A clock that was ahead only compares with itself.
func TestCameLater(t *testing.T) {
	s := evidence.New(evidence.Data{TakenAt: noon})
	for _, c := range []struct {
		name     string
		at, than time.Time
		want     bool
	}{
		{"later", noon.Add(-time.Minute), noon.Add(-time.Hour), true},
		{"earlier", noon.Add(-time.Hour), noon.Add(-time.Minute), false},
		{"a little ahead of the evidence", noon.Add(30 * time.Second), noon.Add(-time.Hour), true},
		{"far ahead of the evidence", noon.Add(time.Hour), noon.Add(-time.Hour), false},
		{"both of a clock that was ahead", noon.Add(2 * time.Hour), noon.Add(time.Hour), true},
	} {
		if got := timeline.CameLater(s, c.at, c.than); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if !timeline.CameLater(evidence.New(evidence.Data{}), noon.Add(time.Hour), noon) {
		t.Error("without a time of the evidence any time is credible")
	}
}

// For events of one description the order of lines is more exact than rounded ages.
func TestEventLater(t *testing.T) {
	event := func(line int, component string) *evidence.Event {
		return &evidence.Event{Ago: ago(5 * time.Minute), Line: line, Component: component, Ref: evidence.Ref{Source: "describe.txt"}}
	}
	if !timeline.EventLater(event(9, "kubelet"), event(3, "kubelet")) || timeline.EventLater(event(3, "kubelet"), event(9, "kubelet")) {
		t.Error("the order of lines does not tell")
	}
	if timeline.EventLater(event(9, ""), event(3, "")) {
		t.Error("events of nobody have an order")
	}
}

// Ages and times are formatted with what is known.
func TestAgoAndWhen(t *testing.T) {
	for _, c := range []struct {
		event *evidence.Event
		now   time.Time
		age   time.Duration
		known bool
		when  string
	}{
		{&evidence.Event{Last: noon.Add(-time.Minute)}, noon, time.Minute, true, " at 11:59:00Z"},
		{&evidence.Event{Ago: ago(5 * time.Minute)}, noon, 5 * time.Minute, true, ", 5m before the text was printed"},
		{&evidence.Event{Last: noon}, time.Time{}, 0, false, " at 12:00:00Z"},
		{&evidence.Event{}, noon, 0, false, ""},
	} {
		age, known := timeline.Ago(c.event, c.now)
		if age != c.age || known != c.known || timeline.When(c.event) != c.when {
			t.Errorf("%+v: %s %v %q", c.event, age, known, timeline.When(c.event))
		}
	}
}

// A writer that did not repeat a message is quiet: sooner if it is always busy, later if its pauses are long.
func TestQuiet(t *testing.T) {
	const plain, reflector, fatal = "E0602 12:00:00.000000 1 kubelet.go:1] failed", "E0602 12:00:00.000000 1 reflector.go:99] failed", "F0602 12:00:00.000000 1 reflector.go:99] failed"
	for _, c := range []struct {
		name  string
		by    logline.Speaker
		line  string
		gone  time.Duration
		pause time.Duration
		want  bool
	}{
		{"a kubelet after 10 minutes", logline.Kubelet, plain, 10 * time.Minute, 0, false},
		{"a kubelet after 16 minutes", logline.Kubelet, plain, 16 * time.Minute, 0, true},
		{"an API server after 6 minutes", logline.APIServer, plain, 6 * time.Minute, 0, true},
		{"a reflector after 6 minutes", logline.Kubelet, reflector, 6 * time.Minute, 0, true},
		{"one that ended with it", logline.Kubelet, fatal, 6 * time.Minute, 0, false},
		{"one that pauses for 10 minutes", logline.Kubelet, plain, 16 * time.Minute, 10 * time.Minute, false},
		{"the same after 31 minutes", logline.Kubelet, plain, 31 * time.Minute, 10 * time.Minute, true},
	} {
		if got := timeline.Quiet(c.by, c.line, c.gone, c.pause); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The pause of a message is the time between two of its repetitions; for a single message it is unknown.
func TestPauses(t *testing.T) {
	often := &evidence.Match{Count: 5, Span: 20 * time.Minute}
	once := &evidence.Match{Count: 1}
	if timeline.Pause(often) != 5*time.Minute || timeline.Again(often) != 15*time.Minute {
		t.Errorf("often: %s, again after %s", timeline.Pause(often), timeline.Again(often))
	}
	if timeline.Pause(once) < time.Hour || timeline.Again(once) != timeline.StableAfter {
		t.Errorf("once: %s, again after %s", timeline.Pause(once), timeline.Again(once))
	}
	logged := &evidence.Match{Until: noon}
	event := &evidence.Match{Event: &evidence.Event{}}
	for _, c := range []struct {
		m          *evidence.Match
		since, now time.Time
		want       time.Duration
	}{
		{logged, noon.Add(-time.Hour), noon.Add(time.Hour), time.Hour},
		{&evidence.Match{}, noon.Add(-time.Hour), noon, 0},
		{event, noon.Add(-time.Hour), noon, time.Hour},
		{event, noon.Add(-time.Hour), time.Time{}, 0},
	} {
		if got := timeline.GoneOn(c.m, c.since, c.now); got != c.want {
			t.Errorf("gone on for %s, want %s", got, c.want)
		}
	}
}

// An event resolves only the failure that it is the opposite of.
func TestShows(t *testing.T) {
	pod, node := evidence.Subject{Kind: "Pod", Namespace: "shop", Name: "web-0"}, evidence.NodeSubject("a")
	s := evidence.New(evidence.Data{TakenAt: noon})
	for _, c := range []struct {
		about           evidence.Subject
		failed, success string
		message         string
		want            bool
	}{
		{pod, "FailedCreatePodSandBox", "Started", "", true},
		{pod, "FailedCreatePodSandBox", "Pulling", "", true},
		{pod, "FailedCreatePodSandBox", "Scheduled", "", false},
		{pod, "FailedScheduling", "Scheduled", "", true},
		{pod, "FailedAttachVolume", "SuccessfulAttachVolume", "", true},
		{pod, "FailedMount", "SuccessfulAttachVolume", "", false},
		{pod, "Failed", "Pulled", "", false},
		{pod, "Failed", "Started", "", true},
		{pod, "FailedMount", "BackOff", "Back-off restarting failed container main", true},
		{pod, "FailedMount", "BackOff", "Back-off pulling image app", false},
		{pod, "FailedKillPod", "Started", "", false},
		{pod, "FailedKillPod", "Scheduled", "", true},
		{node, "NodeNotReady", "NodeReady", "", true},
		{node, "NodeNotReady", "Started", "", false},
		{node, "NodeHasDiskPressure", "NodeHasNoDiskPressure", "", true},
		{node, "FailedMount", "Started", "", false},
	} {
		failed := &evidence.Event{Object: c.about, Reason: c.failed, Type: "Warning", Last: noon.Add(-time.Hour)}
		e := &evidence.Event{Object: c.about, Reason: c.success, Message: c.message, Type: "Normal", Last: noon.Add(-time.Minute)}
		if got := timeline.Shows(s, e, failed, noon); got != c.want {
			t.Errorf("%s shows that %s is over: %v", c.success, c.failed, got)
		}
	}
}

// A starting kubelet reports sufficient resources before it has measured.
func TestSaidAtStart(t *testing.T) {
	node := evidence.NodeSubject("a")
	event := func(reason string, before time.Duration) *evidence.Event {
		return &evidence.Event{Object: node, Reason: reason, Type: "Normal", Last: noon.Add(-before)}
	}
	for _, c := range []struct {
		name   string
		events []*evidence.Event
		want   bool
	}{
		{"all at once, just now", []*evidence.Event{event("NodeHasNoDiskPressure", time.Minute), event("NodeHasSufficientMemory", time.Minute)}, true},
		{"all at once, and it has had time to look", []*evidence.Event{event("NodeHasNoDiskPressure", 10*time.Minute), event("NodeHasSufficientMemory", 10*time.Minute)}, false},
		{"alone", []*evidence.Event{event("NodeHasNoDiskPressure", time.Minute)}, false},
		{"another one earlier", []*evidence.Event{event("NodeHasNoDiskPressure", time.Minute), event("NodeHasSufficientMemory", 30*time.Minute)}, false},
		{"again, soon after a start", []*evidence.Event{event("NodeHasNoDiskPressure", 2*time.Minute), event("NodeHasNoDiskPressure", 3*time.Minute), event("NodeHasSufficientMemory", 3*time.Minute)}, true},
		{"long after a start", []*evidence.Event{event("NodeHasNoDiskPressure", time.Minute), event("NodeHasNoDiskPressure", 30*time.Minute), event("NodeHasSufficientMemory", 30*time.Minute)}, false},
		{"another reason", []*evidence.Event{event("NodeReady", time.Minute), event("NodeHasSufficientMemory", time.Minute)}, false},
	} {
		s := evidence.New(evidence.Data{TakenAt: noon, Events: c.events})
		if got := timeline.SaidAtStart(s, c.events[0], noon); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Events of a description without its header are about the same object as the other events of that text.
func TestOfObject(t *testing.T) {
	pod := evidence.Subject{Kind: "Pod", Namespace: "shop", Name: "web-0"}
	of := func(subject evidence.Subject, source string) *evidence.Event {
		return &evidence.Event{Object: subject, Reason: "Failed", Ref: evidence.Ref{Source: source}}
	}
	named, one, two, other := of(pod, "a"), of(evidence.Subject{}, "b"), of(evidence.Subject{}, "b"), of(evidence.Subject{}, "c")
	s := evidence.New(evidence.Data{Events: []*evidence.Event{named, one, two, other}})
	if got := timeline.OfObject(s, named); len(got) != 1 || got[0] != named {
		t.Errorf("of the pod: %v", got)
	}
	if got := timeline.OfObject(s, one); len(got) != 2 {
		t.Errorf("of the same text: %v", got)
	}
}

// A line is shown without its time and process, and as the newest of several.
func TestShortLine(t *testing.T) {
	m := line("a.log", 1, "I0602 12:00:00.000000 1 a.go:1] the first")
	if got := timeline.ShortLine(m); got != "a.go:1] the first" {
		t.Errorf("%q", got)
	}
	m.LastText = "I0602 12:00:09.000000 1 a.go:1] the last"
	if got := timeline.ShortLine(m); got != "a.go:1] the last" {
		t.Errorf("%q", got)
	}
}
