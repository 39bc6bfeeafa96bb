package redact

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// form is a token that is known by how it starts.
type form struct {
	prefix string // with its case
	kind   string
	more   string // expression of what follows
}

const (
	alnum  = `[A-Za-z0-9]`
	web    = `[A-Za-z0-9_-]`
	secret = `[A-Za-z0-9_.~+/=-]`
)

// forms are tokens as their issuers document them.
var forms = []form{
	{"eyJ", "jwt", web + `{8,}(?:\.` + web + `{4,}(?:\.` + web + `*){0,3}|` + web + `{60,}=*)`},
	{"K10", "token", `[0-9a-f]{32,}::[^\s"']{4,}`},
	{"AKIA", "access-key-id", `[A-Z0-9]{16}\b`}, {"ASIA", "access-key-id", `[A-Z0-9]{16}\b`}, {"ABIA", "access-key-id", `[A-Z0-9]{16}\b`}, {"ACCA", "access-key-id", `[A-Z0-9]{16}\b`},
	{"ABSK", "token", `[A-Za-z0-9+/]{60,}={0,2}`},
	{"AIza", "token", web + `{30,}`}, {"ya29.", "token", web + `{20,}`}, {"GOCSPX-", "token", web + `{20,}`}, {"1//0", "token", web + `{30,}`}, {"GOOG1", "access-key-id", `[A-Z0-9]{10,}`},
	{"ghp_", "token", alnum + `{16,}`}, {"gho_", "token", alnum + `{16,}`}, {"ghu_", "token", alnum + `{16,}`}, {"ghs_", "token", alnum + `{16,}`}, {"ghr_", "token", alnum + `{16,}`},
	{"github_pat_", "token", `[A-Za-z0-9_]{20,}`},
	{"glpat-", "token", web + `{16,}`}, {"gldt-", "token", web + `{16,}`}, {"glrt-", "token", web + `{16,}`}, {"glptt-", "token", web + `{16,}`}, {"glcbt-", "token", web + `{16,}`},
	{"glagent-", "token", web + `{16,}`}, {"gloas-", "token", web + `{16,}`}, {"glsoat-", "token", web + `{16,}`}, {"glimt-", "token", web + `{16,}`}, {"glft-", "token", web + `{16,}`}, {"GR1348941", "token", web + `{16,}`},
	{"xoxb-", "token", web + `{10,}`}, {"xoxp-", "token", web + `{10,}`}, {"xoxa-", "token", web + `{10,}`}, {"xoxr-", "token", web + `{10,}`}, {"xoxs-", "token", web + `{10,}`}, {"xoxe-", "token", web + `{10,}`}, {"xoxe.", "token", `xox[bp]-` + web + `{10,}`}, {"xapp-", "token", web + `{10,}`},
	{"npm_", "token", alnum + `{30,}`}, {"pypi-", "token", web + `{40,}`}, {"rubygems_", "token", `[0-9a-f]{40,}`}, {"cio", "token", `[A-Za-z0-9]{32}\b`}, {"oy2", "token", `[a-z0-9]{43}\b`},
	{"dckr_pat_", "token", web + `{20,}`}, {"dckr_oat_", "token", web + `{20,}`},
	{"sk_live_", "token", alnum + `{16,}`}, {"sk_test_", "token", alnum + `{16,}`}, {"rk_live_", "token", alnum + `{16,}`}, {"rk_test_", "token", alnum + `{16,}`}, {"whsec_", "token", `[A-Za-z0-9+/=]{20,}`}, {"sk_prod_", "token", alnum + `{16,}`},
	{"SG.", "token", web + `{16,}\.` + web + `{16,}`}, {"key-", "token", `[0-9a-f]{32}\b`},
	{"sk-ant-", "token", web + `{20,}`}, {"sk-proj-", "token", web + `{20,}`}, {"sk-svcacct-", "token", web + `{20,}`}, {"sk-or-", "token", web + `{20,}`}, {"sk-", "token", alnum + `{20,}`}, {"hf_", "token", alnum + `{20,}`}, {"r8_", "token", alnum + `{30,}`}, {"gsk_", "token", alnum + `{30,}`}, {"xai-", "token", alnum + `{40,}`}, {"pplx-", "token", alnum + `{40,}`}, {"nvapi-", "token", web + `{40,}`}, {"AIPK", "token", web + `{30,}`},
	{"hvs.", "token", web + `{20,}`}, {"hvb.", "token", web + `{20,}`}, {"hvr.", "token", web + `{20,}`},
	{"dop_v1_", "token", `[0-9a-f]{40,}`}, {"doo_v1_", "token", `[0-9a-f]{40,}`}, {"dor_v1_", "token", `[0-9a-f]{40,}`},
	{"shpat_", "token", `[0-9a-fA-F]{32}`}, {"shpss_", "token", `[0-9a-fA-F]{32}`}, {"shpca_", "token", `[0-9a-fA-F]{32}`}, {"shppa_", "token", `[0-9a-fA-F]{32}`},
	{"lin_api_", "token", alnum + `{20,}`}, {"secret_", "token", alnum + `{40,}`}, {"ntn_", "token", alnum + `{40,}`}, {"figd_", "token", web + `{20,}`}, {"PMAK-", "token", `[0-9a-f-]{40,}`}, {"fo1_", "token", web + `{20,}`}, {"fm2_", "token", `[A-Za-z0-9+/=]{60,}`},
	{"dapi", "token", `[0-9a-f]{32}(?:-\d)?\b`}, {"NRAK-", "token", `[A-Z0-9]{20,}`}, {"NRJS-", "token", `[0-9a-f]{16,}`}, {"glsa_", "token", `[A-Za-z0-9]{32}_[0-9a-fA-F]{8}`}, {"glc_", "token", `[A-Za-z0-9+/]{32,}={0,2}`}, {"sntrys_", "token", secret + `{20,}`}, {"sntryu_", "token", secret + `{20,}`},
	{"dt0c01.", "token", `[A-Z0-9]{24}\.[A-Z0-9]{20,}`}, {"pul-", "token", `[0-9a-f]{40}`}, {"tfp_", "token", web + `{30,}`}, {"CCIPAT_", "token", web + `{20,}`}, {"CFPAT-", "token", web + `{20,}`}, {"bkua_", "token", alnum + `{20,}`}, {"bkct_", "token", web + `{20,}`}, {"sqp_", "token", `[0-9a-f]{40}`}, {"squ_", "token", `[0-9a-f]{40}`}, {"sqa_", "token", `[0-9a-f]{40}`},
	{"ATATT3", "token", secret + `{30,}`}, {"ATCTT3", "token", secret + `{30,}`}, {"ATBB", "token", alnum + `{24,}`}, {"AKCp", "token", alnum + `{40,}`}, {"cmVmdGtuO", "token", alnum + `{30,}`}, {"EAAC", "token", alnum + `{30,}`}, {"sq0atp-", "token", web + `{20,}`}, {"sq0csp-", "token", web + `{20,}`},
	{"tskey-", "token", `(?:auth|api|client|scim|webhook)-` + alnum + `{8,}-` + alnum + `{16,}`}, {"duffel_", "token", `(?:test|live)_` + web + `{30,}`}, {"pat-na1-", "token", `[0-9a-f-]{36}`}, {"api_org_", "token", alnum + `{30,}`}, {"vercel_", "token", alnum + `{20,}`}, {"ddp_", "token", alnum + `{30,}`}, {"pscale_tkn_", "token", secret + `{20,}`}, {"pscale_pw_", "token", secret + `{20,}`}, {"EZAK", "token", alnum + `{50,}`}, {"AGE-SECRET-KEY-1", "private-key", `[0-9A-Z]{20,}`}, {"ops_eyJ", "token", secret + `{40,}`}, {"A3-", "token", `[A-Z0-9]{6}-(?:[A-Z0-9-]{20,})`}, {"sbp_", "token", `[0-9a-f]{40}`}, {"rpa_", "token", alnum + `{30,}`}, {"ptr_", "token", `[A-Za-z0-9+/=]{40,}`}, {"sha256~", "token", web + `{20,}`}, {"kubeconfig-u-", "token", `[a-z0-9]{5,}:[a-z0-9]{40,}`}, {"token-", "token", `[a-z0-9]{5}:[a-z0-9]{40,}`},
	{"MII", "private-key", `[A-Za-z0-9+/]{1,3}(?:IBAAKC|IBADANBgkqhkiG9w0BAQEFAASC|AgEAAoI)[A-Za-z0-9+/=]{8,}`}, {"MHcCAQEE", "private-key", `[A-Za-z0-9+/=]{16,}`}, {"MIGkAgEB", "private-key", `[A-Za-z0-9+/=]{16,}`}, {"MIGHAgEA", "private-key", `[A-Za-z0-9+/=]{16,}`}, {"MC4CAQAwBQYDK2Vw", "private-key", `[A-Za-z0-9+/=]{16,}`}, {"b3BlbnNzaC1rZXktdjE", "private-key", `[A-Za-z0-9+/=]{16,}`},
}

// shape is a secret that is known by what stands around it.
type shape struct {
	hint string // in lower case: every match starts with it
	kind string
	at   *lazyregexp.Regexp // its first group is hidden
	open bool               // a letter or digit may stand before it
	ok   func(string) bool  // whether the match is a secret; nil: always
}

var shapes = []shape{
	{"bearer", "bearer-token", lazyregexp.New(`^(?i)bearer(?:\s+|%20|\+|\\u0020)([A-Za-z0-9._~+/=-]{12,})`), false, tokenish},
	{"basic", "authorization", lazyregexp.New(`^(?i)basic(?:\s+|%20|\+)([A-Za-z0-9+/]{8,}={0,2})`), false, basicAuth},
	{"sig=", "sas-signature", lazyregexp.New(`^(?i)sig=([^\s&"'<>\\]{8,})`), false, nil},
	{"sig%3d", "sas-signature", lazyregexp.New(`^(?i)sig%3d([^\s&"'<>\\]{8,})`), true, nil},
	{"x-amz-signature=", "signature", lazyregexp.New(`^(?i)x-amz-signature=([0-9a-f]{32,})`), true, nil},
	{"x-goog-signature=", "signature", lazyregexp.New(`^(?i)x-goog-signature=([0-9A-Za-z%]{32,})`), true, nil},
	{"signature=", "signature", lazyregexp.New(`^(?i)signature=([0-9A-Za-z%+/=]{24,})`), true, nil},
	{"last-applied-configuration", "applied-configuration", lazyregexp.New(`^last-applied-configuration\\*["']?[:=]?\s*([{'"\\].*)$`), true, func(v string) bool { return !hidden(strings.Trim(v, `\"' `)) }},
	{"hooks.slack.com/", "webhook", lazyregexp.New(`^(?i)hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})`), true, nil},
	{"discord.com/api/webhooks/", "webhook", lazyregexp.New(`^(?i)discord\.com/api/webhooks/\d+/(` + web + `{30,})`), true, nil},
	{"discordapp.com/api/webhooks/", "webhook", lazyregexp.New(`^(?i)discordapp\.com/api/webhooks/\d+/(` + web + `{30,})`), true, nil},
	{".webhook.office.com/", "webhook", lazyregexp.New(`^(?i)\.webhook\.office\.com/webhookb2/([^\s"'<>\\]{40,})`), true, nil},
	{"outlook.office.com/webhook/", "webhook", lazyregexp.New(`^(?i)outlook\.office\.com/webhook/([^\s"'<>\\]{40,})`), true, nil},
	{"/integration/", "webhook", lazyregexp.New(`^/integration/([0-9a-f]{32})`), true, nil},
	{"events.pagerduty.com/", "webhook", lazyregexp.New(`^(?i)events\.pagerduty\.com/integration/([0-9a-f]{32})`), true, nil},
	{"api.telegram.org/bot", "token", lazyregexp.New(`^(?i)api\.telegram\.org/bot(\d+:` + web + `{30,})`), true, nil},
	{":aa", "token", lazyregexp.New(`^:(AA` + web + `{33})\b`), true, nil},
	{"@tcp(", "url-password", nil, true, nil},
	{"@unix(", "url-password", nil, true, nil},
	{"presharedkey", "key", lazyregexp.New(`^(?i)presharedkey\s*=\s*([A-Za-z0-9+/]{42,}=?)`), true, nil},
	{"privatekey", "key", lazyregexp.New(`^(?i)privatekey\s*=\s*([A-Za-z0-9+/]{42,}=?)`), true, nil},
	{"unseal key ", "key", lazyregexp.New(`^(?i)unseal key \d+:\s*([A-Za-z0-9+/=]{20,})`), true, nil},
	{"$2a$", "password-hash", lazyregexp.New(`^(\$2[aby]\$\d\d\$[A-Za-z0-9./]{53})`), true, nil},
	{"$2b$", "password-hash", lazyregexp.New(`^(\$2[aby]\$\d\d\$[A-Za-z0-9./]{53})`), true, nil},
	{"$2y$", "password-hash", lazyregexp.New(`^(\$2[aby]\$\d\d\$[A-Za-z0-9./]{53})`), true, nil},
	{"$6$", "password-hash", lazyregexp.New(`^(\$6\$(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{40,})`), true, nil},
	{"$5$", "password-hash", lazyregexp.New(`^(\$5\$(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{40,})`), true, nil},
	{"$1$", "password-hash", lazyregexp.New(`^(\$1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22})`), true, nil},
	{"$y$", "password-hash", lazyregexp.New(`^(\$y\$[A-Za-z0-9./]+\$[A-Za-z0-9./]{1,86}\$[A-Za-z0-9./]{43})`), true, nil},
	{"$apr1$", "password-hash", lazyregexp.New(`^(\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22})`), true, nil},
	{"$argon2", "password-hash", lazyregexp.New(`^(\$argon2[id]{1,2}\$[^\s"']{30,})`), true, nil},
	{"{ssha", "password-hash", lazyregexp.New(`^(?i)\{ssha\d*\}([A-Za-z0-9+/=]{16,})`), true, nil},
	{"8q~", "key", nil, true, nil},
	{"azdo", "key", nil, true, nil},
	{"+astd", "key", nil, true, nil},
	{"+acr", "key", nil, true, nil},
	{"azfu", "key", nil, true, nil},
	{"jqqj", "key", nil, true, nil},
	{"t3blbkfj", "token", nil, true, nil},
	{"rwcommunity ", "password", lazyregexp.New(`^(?i)rwcommunity\s+(\S+)`), false, nil},
	{"rocommunity ", "password", lazyregexp.New(`^(?i)rocommunity\s+(\S+)`), false, nil},
	{"machine ", "password", lazyregexp.New(`^machine\s+\S+\s+login\s+\S+\s+password\s+(\S+)`), false, nil},
	{"private-mac: ", "private-key", lazyregexp.New(`^(?i)private-mac: ([0-9a-f]{20,})`), true, nil},
	{" join ", "token", lazyregexp.New(`^ join .*?\s([a-z0-9]{6}\.[a-z0-9]{16})\b`), true, nil},
	{"token", "token", lazyregexp.New(`^(?i)token.{0,40}?\b([a-z0-9]{6}\.[a-z0-9]{16})\b`), true, anyDigit},
}

// inMiddle are marks in the middle of a key of a cloud.
var inMiddle = map[string]*lazyregexp.Regexp{
	"8q~":      lazyregexp.New(`^[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}$`), // a secret of an application of Entra
	"azdo":     lazyregexp.New(`^[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}$`),
	"+astd":    lazyregexp.New(`^[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{4,6}={0,2}$`),
	"+acr":     lazyregexp.New(`^[A-Za-z0-9+/]{30,44}\+ACR[A-Za-z0-9+/]{6}$`),
	"azfu":     lazyregexp.New(`^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{4,8}={0,2}$`),
	"jqqj":     lazyregexp.New(`^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$`),
	"t3blbkfj": lazyregexp.New(`^sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}$`),
}

func tokenClues() []clue {
	var out []clue
	for _, digit := range "0123456789abcdef" { // keys of Twilio: SK and 32 digits
		forms := form{"SK" + string(digit), "token", `[0-9a-f]{31}\b`}
		out = append(out, forms.clue())
	}
	for i := range forms {
		out = append(out, forms[i].clue())
	}
	for i := range shapes {
		p := &shapes[i]
		out = append(out, clue{text: p.hint, find: func(_ *Lines, s string, at, end int, out []span) []span {
			switch {
			case inMiddle[p.hint] != nil:
				lo, hi := run(s, at, end)
				if v := strings.TrimLeft(s[lo:hi], "/.="); inMiddle[p.hint].MatchString(v) {
					return append(out, span{hi - len(v), hi, p.kind})
				}
				return out
			case p.at == nil:
				return dsnPassword(s, at, out)
			case !p.open && !starts(s, at):
				return out
			}
			m := p.at.FindStringSubmatchIndex(s[at:])
			if m == nil || m[2] < 0 || hidden(s[at+m[2]:at+m[3]]) || p.ok != nil && !p.ok(s[at+m[2]:at+m[3]]) {
				return out
			}
			return append(out, span{at + m[2], at + m[3], p.kind})
		}})
	}
	return out
}

func (f form) clue() clue {
	body := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + f.more + `)`) })
	return clue{text: f.prefix, exact: true, find: func(_ *Lines, s string, at, end int, out []span) []span {
		if !starts(s, at) || at > 0 && (s[at-1] == '+' || s[at-1] == '/') && f.kind == "jwt" {
			return out
		}
		m := body().FindStringIndex(s[end:])
		if m == nil || !anyDigit(s[at:end+m[1]]) && m[1] < 32 {
			return out
		}
		return append(out, span{at, end + m[1], f.kind})
	}}
}

// starts reports whether a word may start at the place: no letter or digit stands before it but those of an escape.
func starts(s string, at int) bool { return at == 0 || !isWord(s[at-1]) || escape(s, at) }

// escape reports whether an escape of JSON (\n, \u0026) or of URLs (%3D) ends at the place.
func escape(s string, at int) bool {
	return at > 1 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0 ||
		at > 2 && s[at-3] == '%' || at > 5 && s[at-6] == '\\' && s[at-5] == 'u'
}

// run is the unbroken text of a key around s[at:end].
func run(s string, at, end int) (lo, hi int) {
	in := func(c byte) bool { return isWord(c) || strings.IndexByte("+/_~.-=", c) >= 0 }
	for lo = at; lo > 0 && at-lo < 100 && isWord(s[lo-1]) || lo > 0 && at-lo < 100 && strings.IndexByte("+/_~.-", s[lo-1]) >= 0; lo-- {
	}
	for hi = end; hi < len(s) && hi-end < 100 && in(s[hi]); hi++ {
	}
	return lo, hi
}

// dsnPassword hides the password of user:password@tcp(host), as drivers of databases take it.
func dsnPassword(s string, at int, out []span) []span {
	lo := at
	for lo > 0 && strings.IndexByte(" \t\"'=<>", s[lo-1]) < 0 {
		lo--
	}
	colon := strings.IndexByte(s[lo:at], ':')
	if colon < 0 || hidden(s[lo+colon+1:at]) {
		return out
	}
	return append(out, span{lo + colon + 1, at, "url-password"})
}

func anyDigit(v string) bool { return strings.ContainsAny(v, "0123456789") }

// tokenish tells a token from a word of a sentence behind "bearer".
func tokenish(v string) bool {
	return anyDigit(v) && len(v) >= 12 || looksRandom(v, 20) || len(v) >= 24 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz-.") != ""
}

// basicAuth tells the base64 form of user:password.
func basicAuth(v string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil || strings.IndexByte(string(plain), ':') < 0 {
		return false
	}
	for _, c := range plain {
		if c < ' ' {
			return false
		}
	}
	return true
}

// email is an address of a person.
var email = lazyregexp.New(`\b([A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})\b`)

// unitName tells an instance of a systemd unit, and an image digest, from an address.
func unitName(v string) bool {
	for _, end := range []string{".service", ".socket", ".slice", ".mount", ".timer", ".target", ".scope", ".path", ".local", ".internal"} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}

// authorization hides what stands in a header of that name: behind the scheme, where it is a known one.
func authorization(s string, v value, out []span) []span {
	text := s[v.lo:v.hi]
	if placeholder(text) || v.by == said || v.by == flagged {
		return out
	}
	rest := s[v.lo:]
	scheme := rest[:until(rest, 0, " \t\\%[")]
	if hidden(strings.TrimSpace(strings.TrimPrefix(s[v.lo:], scheme))) {
		return out
	}
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "negotiate", "ntlm", "apikey", "api-key", "splunk", "sso-key", "sharedkey", "sharedkeylite", "key", "genie", "genieKey":
		lo := v.lo + len(scheme)
		lo = skip(s, lo, " \t", 8)
		if v.by == quoted || v.by == listed {
			if lo >= v.hi || hidden(s[lo:v.hi]) {
				return out
			}
			return append(out, span{lo, v.hi, "authorization"})
		}
		hi := bareEnd(s, lo)
		if lo >= hi || hidden(s[lo:hi]) || ordinary[strings.ToLower(s[lo:hi])] {
			return out
		}
		return append(out, span{lo, hi, "authorization"})
	case "digest", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "oauth", "hmac", "sharedaccesssignature", "hoba", "signature", "mac":
		if v.by != quoted && v.by != listed {
			v.hi = len(s)
		}
		return append(out, span{skip(s, v.lo+len(scheme), " ", 4), v.hi, "authorization"})
	}
	if v.by == ownLine && strings.Contains(text, " ") || v.by == spaced && !looksRandom(text, 12) || ordinary[strings.ToLower(text)] || plainWord(text) {
		return out // a sentence about it
	}
	return append(out, span{v.lo, v.hi, "authorization"})
}
