package collect

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestWithoutEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"plain\r\ntext\n":                                                  "plain\r\ntext\n",
		"\x1b[1;31mJun\x1b[0m 9 \x1b[32mred\x1b[m":                         "Jun 9 red",
		"\x1b[?1049h\x1b[22;0;0t\rfirst\x1b[K\n:\x1b[K\r\x1b[K\x1b[?1049l": "first\n:",
		"\x1b]0;title\x07prompt":                                           "prompt",
		"\x1b]0;title\x1b\\prompt":                                         "prompt",
		"\x1b(Bletters":                                                    "letters",
		"cut off \x1b[31\nnext":                                            "cut off \nnext",
		"painted\x1b[0m\r\nby Windows":                                     "painted\nby Windows",
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in))} {
			got, err := io.ReadAll(withoutEscapes(r))
			if err != nil || string(got) != want {
				t.Errorf("%s of %q = %q, %v; want %q", name, in, got, err, want)
			}
		}
	}
}
