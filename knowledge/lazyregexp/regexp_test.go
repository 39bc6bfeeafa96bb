package lazyregexp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Every method gives what the method of package regexp gives, on a text that matches and on one that does not.
func TestLikeRegexp(t *testing.T) {
	const expr = `(?P<key>[a-z]+)=(\d+)`
	lazy, eager := lazyregexp.New(expr), regexp.MustCompile(expr)
	for _, text := range []string{"cpu=4 memory=16", "nothing", ""} {
		for name, got := range map[string][2]any{
			"MatchString":                    {lazy.MatchString(text), eager.MatchString(text)},
			"Match":                          {lazy.Match([]byte(text)), eager.Match([]byte(text))},
			"Find":                           {string(lazy.Find([]byte(text))), string(eager.Find([]byte(text)))},
			"FindString":                     {lazy.FindString(text), eager.FindString(text)},
			"FindStringIndex":                {lazy.FindStringIndex(text), eager.FindStringIndex(text)},
			"FindStringSubmatch":             {lazy.FindStringSubmatch(text), eager.FindStringSubmatch(text)},
			"FindStringSubmatchIndex":        {lazy.FindStringSubmatchIndex(text), eager.FindStringSubmatchIndex(text)},
			"FindAllStringSubmatch":          {lazy.FindAllStringSubmatch(text, -1), eager.FindAllStringSubmatch(text, -1)},
			"FindAllStringSubmatch, one":     {lazy.FindAllStringSubmatch(text, 1), eager.FindAllStringSubmatch(text, 1)},
			"FindAllStringSubmatchIndex":     {lazy.FindAllStringSubmatchIndex(text, -1), eager.FindAllStringSubmatchIndex(text, -1)},
			"FindSubmatch":                   {lazy.FindSubmatch([]byte(text)), eager.FindSubmatch([]byte(text))},
			"ReplaceAllString":               {lazy.ReplaceAllString(text, "$2=$key"), eager.ReplaceAllString(text, "$2=$key")},
			"ReplaceAllStringFunc":           {lazy.ReplaceAllStringFunc(text, strings.ToUpper), eager.ReplaceAllStringFunc(text, strings.ToUpper)},
			"SubexpIndex":                    {lazy.SubexpIndex("key"), eager.SubexpIndex("key")},
			"SubexpIndex of a missing group": {lazy.SubexpIndex("x"), eager.SubexpIndex("x")},
		} {
			if is, want := fmt.Sprintf("%#v", got[0]), fmt.Sprintf("%#v", got[1]); is != want {
				t.Errorf("%s of %q is %s, want %s", name, text, is, want)
			}
		}
	}
}

// An invalid expression is a mistake of the program. It is found at the first use, which a test of each expression makes.
func TestInvalid(t *testing.T) {
	broken := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression matches")
		}
	}()
	broken.MatchString("x")
}
