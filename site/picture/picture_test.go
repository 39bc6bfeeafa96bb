package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	got := string(Draw("a <b>", "\x1b[1;31mBROKEN\x1b[0m  x & y\n\n  \x1b[2mdim\x1b[0m\n"))
	for _, want := range []string{
		`>$ a &lt;b&gt;</text>`, // the command
		`<text x="16.0" y="76" textLength="50.4" font-weight="bold" fill="#ff7b72">BROKEN</text>`,
		`<text x="83.2" y="76" textLength="42.0">x &amp; y</text>`, // two columns after it
		`<text x="32.8" y="112" textLength="25.2" fill="#9ba3ad">dim</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture does not contain %s:\n%s", want, got)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
}
