package main

import (
	"testing"
	"testing/fstest"
)

func TestIndex(t *testing.T) {
	s, err := readSite(fstest.MapFS{
		"docs/causes/a/index.html": {Data: []byte(`<body><header>no</header><main id="page"><p class="path">no</p><h1>A cause</h1>
			<p>before <code>x</code></p><h2 id="by">By <a class="anchor" href="#by">#</a></h2>
			<ul><li>one</li><li><code>\bPLEG\s+is</code></li></ul><h3 id="more">More</h3><p>end</main>`)},
		"gallery/b.html": {Data: []byte(`<body><main>an answer of the program</main>`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	index, err := s.index()
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"url":"docs/causes/a/","title":"A cause","kind":"docs/causes","parts":[{"text":"before x"},` +
		`{"id":"by","heading":"By","text":"one PLEG +is"},{"id":"more","heading":"More","text":"end"}]}]`
	if string(index) != want {
		t.Errorf("the index is\n%s\nwant\n%s", index, want)
	}
}
