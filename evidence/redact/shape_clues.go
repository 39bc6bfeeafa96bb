package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// inMiddle are marks in the middle of cloud keys.
var inMiddle = map[string]*lazyregexp.Regexp{
	"8q~":      lazyregexp.New(`^[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}$`), // a client secret of an Entra application
	"+aba":     lazyregexp.New(`^[A-Za-z0-9+/]{76}\+ABa[A-Za-z0-9+/]{4,6}={0,2}$`),
	"azca":     lazyregexp.New(`^[A-Za-z0-9+/]{33}AzCa[A-Za-z0-9+/]{5,6}={0,2}$`),
	"azse":     lazyregexp.New(`^[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}$`),
	"+aio":     lazyregexp.New(`^[A-Za-z0-9+/]{33}\+AIoT[A-Za-z0-9+/]{5,6}={0,2}$`),
	"atlasv1":  lazyregexp.New(`^[A-Za-z0-9]{10,16}\.atlasv1\.[A-Za-z0-9_=-]{50,}$`),
	"nral":     lazyregexp.New(`^[0-9A-Fa-f]{20,}(?:FFFF)?NRAL$`),
	"-us":      lazyregexp.New(`^[0-9a-z]{32}-us\d{1,2}$`),
	"_mmk":     lazyregexp.New(`^[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk$`),
	"azdo":     lazyregexp.New(`^[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}$`),
	"+astd":    lazyregexp.New(`^[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{4,6}={0,2}$`),
	"+acr":     lazyregexp.New(`^[A-Za-z0-9+/]{30,44}\+ACR[A-Za-z0-9+/]{6}$`),
	"azfu":     lazyregexp.New(`^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{4,8}={0,2}$`),
	"jqqj":     lazyregexp.New(`^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$`),
	"t3blbkfj": lazyregexp.New(`^sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}$`),
}

func tokenClues() []clue {
	var out []clue
	for i := range shapes {
		p := &shapes[i]
		out = append(out, clue{text: p.hint, word: !p.open, find: func(_ *Lines, s string, at, end int, out []span) []span {
			switch {
			case inMiddle[p.hint] != nil:
				lo, hi := run(s, at, end)
				if v := strings.TrimLeft(s[lo:hi], "/.="); inMiddle[p.hint].MatchString(v) {
					return append(out, span{hi - len(v), hi, p.kind})
				}
				return out
			case p.at == nil:
				return dsnPassword(s, at, out)
			}
			m := p.at.FindStringSubmatchIndex(s[at:])
			for i := 2; i+1 < len(m); i += 2 {
				if m[i] >= 0 && !hidden(s[at+m[i]:at+m[i+1]]) && (p.ok == nil || p.ok(s[at+m[i]:at+m[i+1]])) {
					out = append(out, span{at + m[i], at + m[i+1], p.kind})
				}
			}
			return out
		}})
	}
	return out
}

// wordShapes are secrets that are detected by the whole word, between spaces, around the clue.
var wordShapes = []struct {
	hint, kind string
	word       *lazyregexp.Regexp // its groups are redacted
}{
	{":5432:", "password", lazyregexp.New(`^[\w.*-]+:5432:[^:\s]+:[^:\s]+:(\S+)$`)},
	{":5433:", "password", lazyregexp.New(`^[\w.*-]+:5433:[^:\s]+:[^:\s]+:(\S+)$`)},
	{":6432:", "password", lazyregexp.New(`^[\w.*-]+:6432:[^:\s]+:[^:\s]+:(\S+)$`)},
	{":*:", "password", lazyregexp.New(`^(?:[\w.*-]+:){4}(\S+)$`)},
	{":::", "password-hash", lazyregexp.New(`^[^:]+:\d+:([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::`)},
	{"\"system:", "token", lazyregexp.New(`^([^,"\\]{8,}),[^,]+,[^,]+,\\*"`)},
}

const maxWord = 400 // bytes of such a word before the clue

func wordClues() []clue {
	var out []clue
	for i := range wordShapes {
		w := &wordShapes[i]
		out = append(out, clue{text: w.hint, find: func(_ *Lines, s string, at, end int, out []span) []span {
			lo := at - escapesBefore(s, 0, at)
			for lo > 0 && at-lo < maxWord && strings.IndexByte(" \t\"'<>=\\", s[lo-1]) < 0 {
				lo--
			}
			hi := until(s, end, " \t'<>")
			m := w.word.FindStringSubmatchIndex(s[lo:hi])
			if w.kind == "password" { // a quote ends it, like every text
				m = w.word.FindStringSubmatchIndex(s[lo:min(hi, until(s, end, "\"\\"))])
			}
			if m == nil || hidden(s[lo+m[2]:lo+m[3]]) {
				return out
			}
			return append(out, span{lo + m[2], lo + m[3], w.kind})
		}})
	}
	return out
}
