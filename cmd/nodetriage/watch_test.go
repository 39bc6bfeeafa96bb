package main

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"testing"
	"time"
)

var clockTime = regexp.MustCompile(`\d\d:\d\d:\d\dZ`)

// In a pipe the first line is a summary, and then each change is a line. A failed look is printed and does not end it.
func TestWatchInAPipe(t *testing.T) {
	looks := []look{
		{says: "2 nodes: 2 ready", facts: map[string]string{"w1": "ready", "w2": "ready"}},
		{facts: map[string]string{"w1": "ready", "w2": "ready"}},
		{},
		{facts: map[string]string{"w1": "silent; runtime-hung", "w2": "ready", "w3": "ready"}},
		{facts: map[string]string{"w1": "silent; runtime-hung", "w3": "ready"}},
	}
	ctx, cancel := context.WithCancel(context.Background())
	var out bytes.Buffer
	n := 0
	f := watchFlags{on: true, every: time.Microsecond}
	err := f.run(ctx, &out, &outputFlags{}, func() (look, error) {
		if n == len(looks) {
			cancel()
			return look{}, ctx.Err()
		}
		n++
		if n == 3 {
			return look{}, errors.New("no answer")
		}
		return looks[n-1], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `T 2 nodes: 2 ready
T refresh failed: no answer
T w1: ready -> silent; runtime-hung
T w3: came, ready
T w2: went
`
	if got := clockTime.ReplaceAllString(out.String(), "T"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestWatchFirstLookFails(t *testing.T) {
	f := watchFlags{on: true}
	if err := f.run(t.Context(), &bytes.Buffer{}, &outputFlags{}, func() (look, error) { return look{}, errors.New("no cluster") }); err == nil {
		t.Error("a cluster that cannot be read is watched")
	}
}
