package redact

import (
	"regexp"
	"strings"
	"sync"
)

// form is a token with a prefix of its issuer.
type form struct {
	issuer   string
	kind     string
	prefixes string // separated by spaces, case-sensitive
	body     string // expression for the part after the prefix
}

const (
	alnum  = `[A-Za-z0-9]`
	web    = `[A-Za-z0-9_-]`
	secret = `[A-Za-z0-9_.~+/=-]`
	b64    = `[A-Za-z0-9+/]`
	hexa   = `[0-9a-fA-F]`
	uid    = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`
)

// forms are tokens in the documentation of their issuers. Lengths are lower bounds, so truncated tokens match too.
var forms = []form{
	{"JSON Web Token", "jwt", "eyJ", web + `{8,}(?:\.` + web + `{4,}(?:\.` + web + `*){0,3}|` + web + `{60,}=*)`},

	{"AWS", "access-key-id", "AKIA ASIA ABIA ACCA", `[A-Z0-9]{16}\b`},
	{"AWS", "token", "ABSK", b64 + `{60,}={0,2}`},
	{"AWS", "token", "bedrock-api-key-", `[A-Za-z0-9+/=]{30,}`},
	{"AWS", "token", "IQoJb3JpZ2lu FwoGZXIvYXdz", `[A-Za-z0-9+/=]{60,}`},
	{"AWS EKS", "token", "k8s-aws-v1.", web + `{40,}`},
	{"Alibaba Cloud", "access-key-id", "LTAI", alnum + `{12,}`},
	{"Azure", "signature", "SharedAccessSignature", ` sr=[^\s"']{20,}`},
	{"Google Cloud", "token", "AIza", web + `{30,}`},
	{"Google Cloud", "token", "ya29. GOCSPX-", web + `{20,}`},
	{"Google Cloud", "token", "1//0", web + `{30,}`},
	{"Google Cloud", "access-key-id", "GOOG1", `[A-Z0-9]{10,}`},
	{"Firebase", "token", "APA91b", web + `{80,}`},
	{"IBM Cloud", "token", "ApiKey-", uid},
	{"Tencent Cloud", "access-key-id", "AKID", alnum + `{28,}`},
	{"Volcano Engine", "access-key-id", "AKLT", alnum + `{30,}`},
	{"Yandex Cloud", "token", "AQVN", web + `{30,}`},
	{"Yandex Cloud", "token", "t1.", web + `{20,}={0,2}\.` + web + `{40,}={0,2}`},
	{"Yandex Cloud", "token", "y0_", web + `{40,}`},
	{"Yandex Cloud", "token", "YCAJ YCN YCM YCP", web + `{34,}`},
	{"DigitalOcean", "token", "dop_v1_ doo_v1_ dor_v1_", `[0-9a-f]{40,}`},
	{"Heroku", "token", "HRKU-", web + `{30,}`},
	{"Scalingo", "token", "tk-us-", web + `{40,}`},
	{"Fly.io", "token", "fo1_", web + `{20,}`},
	{"Fly.io", "token", "fm1r_ fm1a_ fm2_", `[A-Za-z0-9+/=]{60,}`},

	{"k3s", "token", "K10", `[0-9a-f]{32,}::[^\s"']{4,}`},
	{"OpenShift", "token", "sha256~", web + `{20,}`},
	{"Rancher", "token", "kubeconfig-u- kubeconfig-user-", `[a-z0-9]{5,}:[a-z0-9]{40,}`},
	{"Rancher", "token", "token-", `[a-z0-9]{5}:[a-z0-9]{40,}`},
	{"Docker Swarm", "token", "SWMTKN-1- SWMKEY-1-", web + `{20,}`},
	{"Docker", "token", "dckr_pat_ dckr_oat_", web + `{20,}`},
	{"Portainer", "token", "ptr_", `[A-Za-z0-9+/=]{40,}`},
	{"HashiCorp Vault", "token", "hvs. hvb. hvr.", web + `{20,}`},
	{"HashiCorp Vault", "token", "s.", alnum + `{24}\b`},
	{"Tailscale", "token", "tskey-", `(?:auth|api|client|scim|webhook)-` + alnum + `{8,}-` + alnum + `{16,}`},
	{"NetBird", "token", "nbp_", alnum + `{30,}`},
	{"Defined Networking", "token", "dnkey-", web + `{26}-` + web + `{40,}`},
	{"Cloudflare", "token", "v1.0-", `[0-9a-f]{24}-[0-9a-f]{100,}`},
	{"Cloudflare", "token", "cfut_ cfat_ cfk_", web + `{30,}`},
	{"age", "private-key", "AGE-SECRET-KEY-1", `[0-9A-Z]{20,}`},
	{"1Password", "token", "ops_eyJ", secret + `{40,}`},
	{"1Password", "token", "A3-", `[A-Z0-9]{6}-(?:[A-Z0-9-]{20,})`},
	{"Doppler", "token", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", alnum + `{40,}`},
	{"Doppler", "token", "dp.st.", `(?:[a-z0-9_-]{2,35}\.)?` + alnum + `{40,}`},
	{"Pulumi", "token", "pul-", `[0-9a-f]{40}`},
	{"Infracost", "token", "ico-", alnum + `{30,}`},
	{"Harness", "token", "pat. sat.", web + `{22}\.` + alnum + `{24}\.` + alnum + `{20}`},
	{"Octopus Deploy", "token", "API-", `[A-Z0-9]{25,}\b`},
	{"Prefect", "token", "pnu_ pnb_", alnum + `{30,}`},
	{"Spectral, SettleMint", "token", "spu- sm_aat_ sm_pat_ sm_sat_", alnum + `{16,}`},

	{"GitHub", "token", "ghp_ gho_ ghu_ ghs_ ghr_", alnum + `{16,}`},
	{"GitHub", "token", "github_pat_", `[A-Za-z0-9_]{20,}`},
	{"GitLab", "token", "glpat- gldt- glrt- glrtr- glptt- glcbt- glagent- gloas- glsoat- glimt- glft- glffct- glwt- GR1348941", `[A-Za-z0-9_.-]{16,}`},
	{"Bitbucket", "token", "ATBB", alnum + `{24,}`},
	{"Atlassian", "token", "ATATT3 ATCTT3", secret + `{30,}`},
	{"Sourcegraph", "token", "sgp_ sgd_ slk_", `(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40,}`},
	{"CircleCI", "token", "CCIPAT_ CCIPRJ_", `[A-Za-z0-9_]{20,}`},
	{"Buildkite", "token", "bkua_ bkct_ bkaj_ bkat_", web + `{20,}`},
	{"SonarQube", "token", "sqp_ squ_ sqa_", `[0-9a-f]{40}`},
	{"JFrog", "token", "AKCp", alnum + `{40,}`},
	{"JFrog", "token", "cmVmdGtuO cmVmd", alnum + `{30,}`},
	{"npm", "token", "npm_", alnum + `{30,}`},
	{"PyPI", "token", "pypi-", web + `{40,}`},
	{"RubyGems", "token", "rubygems_", `[0-9a-f]{40,}`},
	{"crates.io", "token", "cio", `[A-Za-z0-9]{32}\b`},
	{"NuGet", "token", "oy2", `[a-z0-9]{43}\b`},
	{"Clojars", "token", "CLOJARS_ clojars_", alnum + `{40,}`},
	{"ReadMe", "token", "rdme_", `[a-z0-9]{40,}`},

	{"Slack", "token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp-", `[A-Za-z0-9%_+/-]{10,}`},
	{"Slack", "token", "xoxe.", `xox[bp]-` + web + `{10,}`},
	{"Stripe", "token", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_live_ sk_org_test_", alnum + `{10,}`},
	{"Stripe", "token", "whsec_", `[A-Za-z0-9+/=]{20,}`},
	{"SendGrid", "token", "SG.", web + `{16,}\.` + web + `{16,}`},
	{"Mailgun", "token", "key- pubkey-", `[0-9a-f]{32}\b`},
	{"Brevo", "token", "xkeysib- xsmtpsib-", web + `{40,}`},
	{"Twilio", "token", "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf", hexa + `{31}\b`},
	{"Postman", "token", "PMAK-", `[0-9a-f-]{40,}`},
	{"Postman", "token", "PMAT-", `[A-Z0-9]{20,}`},
	{"Discord", "token", "mfa.", web + `{60,}`},
	{"Telegram", "token", "bot", `\d{8,10}:AA` + web + `{30,}`},
	{"Facebook", "token", "EAAA EAAB EAAC EAAM EAAG EAAJ", alnum + `{30,}`},
	{"Square", "token", "sq0atp- sq0csp- sq0idp-", web + `{20,}`},
	{"Shopify", "token", "shpat_ shpss_ shpca_ shppa_", hexa + `{32}`},
	{"PayPal", "token", "access_token$", `(?:production|sandbox)\$[0-9a-z]{10,}\$[0-9a-f]{20,}`},
	{"Plaid", "token", "access-", `(?:production|development|sandbox)-` + uid},
	{"Flutterwave", "token", "FLWSECK-  FLWSECK_TEST- FLWPUBK-", `[0-9a-zA-Z-]{12,}`},
	{"GoCardless, Lob", "token", "live_ live_pub_ test_pub_", web + `{30,}`},
	{"Mercado Pago", "token", "APP_USR-", `[0-9a-f-]{40,}`},
	{"EasyPost", "token", "EZAK EZTK", alnum + `{50,}`},
	{"Shippo", "token", "shippo_live_ shippo_test_", hexa + `{20,}`},
	{"Duffel", "token", "duffel_test_ duffel_live_", `[A-Za-z0-9_=-]{30,}`},
	{"Persona", "token", "persona_production_ persona_sandbox_", uid},
	{"Adobe", "token", "p8e-", alnum + `{30,}`},
	{"Airtable", "token", "pat", alnum + `{14}\.[0-9a-f]{40,}`},
	{"Coze", "token", "pat_", alnum + `{40,}`},
	{"Frame.io", "token", "fio-u-", `[A-Za-z0-9_=-]{40,}`},
	{"Dropbox", "token", "sl. sl.u.", `[A-Za-z0-9_=-]{60,}`},
	{"Figma", "token", "figd_ figu_ figo_", web + `{20,}`},
	{"HubSpot", "token", "pat-na1- pat-na2- pat-eu1-", `[0-9a-f-]{36}`},
	{"Intra 42", "token", "s-s4t2ud- s-s4t2af-", `[0-9a-f]{40,}`},
	{"Ionic", "token", "ion_", alnum + `{40,}`},
	{"LaunchDarkly", "token", "api- sdk- mob-", uid},
	{"Linear", "token", "lin_api_ lin_oauth_", alnum + `{20,}`},
	{"Mapbox", "token", "sk.eyJ pk.eyJ tk.eyJ", web + `{20,}\.` + web + `{16,}`},
	{"Netlify", "token", "nfp_ nfc_ nfo_", alnum + `{30,}`},
	{"Vercel", "token", "vercel_ vcp_ vci_ vca_ vck_", alnum + `{20,}`},
	{"Notion", "token", "ntn_ secret_", alnum + `{40,}`},
	{"Typeform", "token", "tfp_", `[A-Za-z0-9_.=-]{30,}`},
	{"Contentful", "token", "CFPAT-", web + `{20,}`},
	{"WakaTime", "token", "waka_ waka_sec_ waka_tok_", `[0-9a-zA-Z-]{30,}`},
	{"Zuplo", "token", "zpka_", `[A-Za-z0-9_]{30,}`},
	{"Rootly", "token", "rootly_", `[0-9a-f]{40,}`},
	{"Thunderstore, WorkOS, Unkey", "token", "tss_ workos_ unkey_", alnum + `{20,}`},

	{"OpenAI", "token", "sk-proj- sk-svcacct- sk-admin- sk-None-", web + `{20,}`},
	{"OpenAI and others", "token", "sk-", alnum + `{20,}`},
	{"Anthropic", "token", "sk-ant-", web + `{20,}`},
	{"OpenRouter, Langfuse", "token", "sk-or- sk-lf-", web + `{20,}`},
	{"Hugging Face", "token", "hf_ api_org_", alnum + `{20,}`},
	{"Replicate, Groq, Perplexity, RunPod", "token", "r8_ gsk_ pplx- rpa_", alnum + `{30,}`},
	{"xAI", "token", "xai-", alnum + `{40,}`},
	{"NVIDIA", "token", "nvapi-", web + `{40,}`},
	{"LangSmith", "token", "lsv2_pt_ lsv2_sk_", `[0-9a-f_]{30,}`},
	{"Pinecone", "token", "pcsk_", `[A-Za-z0-9_]{30,}`},
	{"AI Platform", "token", "AIPK", web + `{30,}`},

	{"Supabase", "token", "sbp_ sbp_v0_", `[0-9a-f]{40}`},
	{"Supabase", "token", "sb_secret_", web + `{20,}`},
	{"Neon", "token", "napi_", alnum + `{40,}`},
	{"PlanetScale", "token", "pscale_tkn_ pscale_pw_ pscale_oauth_", secret + `{20,}`},
	{"CockroachDB", "token", "CCDB1_", `[A-Za-z0-9_]{30,}`},
	{"ClickHouse Cloud", "token", "4b1d", alnum + `{38}\b`},
	{"MongoDB Atlas", "token", "mdb_sa_sk_", web + `{30,}`},
	{"Aiven", "token", "AVNS_", web + `{15,}`},
	{"Databricks", "token", "dapi dkea", `[0-9a-f]{32}(?:-\d)?\b`},
	{"Elastic", "token", "essu_", `[A-Za-z0-9+/=_-]{40,}`},

	{"New Relic", "token", "NRAK- NRAL- NRSP-", `[A-Za-z0-9]{20,}`},
	{"New Relic", "token", "NRII- NRIQ- NRRA-", web + `{20,}`},
	{"New Relic", "token", "NRJS-", `[0-9a-f]{16,}`},
	{"Grafana", "token", "glsa_", alnum + `{32}_[0-9a-fA-F]{8}`},
	{"Grafana", "token", "glc_", b64 + `{32,}={0,2}`},
	{"Sentry", "token", "sntrys_ sntryu_ sntrya_ sntryi_", secret + `{20,}`},
	{"Dynatrace", "token", "dt0c01. dt0s01. dt0s02. dt0s16.", `[A-Z0-9]{8,24}\.[A-Z0-9]{20,}`},
	{"Honeycomb", "token", "hcaik_ hcaic_ hcxik_ hcamk_ hcbik_ hcdik_", `[a-z0-9]{30,}`},
	{"Datadog", "token", "ddp_ ddapp_", alnum + `{30,}`},
	{"Snyk", "token", "snyk_uat. snyk_sat.", secret + `{30,}`},
	{"Authress", "token", "sc_ ext_ scauth_ authress_", `[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}`},

	{"RSA and EC keys", "private-key", "MII", b64 + `{1,3}(?:IBAAKC|IBADANBgkqhkiG9w0BAQEFAASC|AgEAAoI)[A-Za-z0-9+/=]{8,}`},
	{"EC keys", "private-key", "MHcCAQEE MIGkAgEB MIGHAgEA MIHcAgEB MIHuAgEA", `[A-Za-z0-9+/=]{16,}`},
	{"Ed25519 keys", "private-key", "MC4CAQAwBQYDK2Vw", `[A-Za-z0-9+/=]{16,}`},
	{"OpenSSH keys", "private-key", "b3BlbnNzaC1rZXktdjE", `[A-Za-z0-9+/=]{16,}`},
	{"Java keystores", "private-key", "/u3+7QAAAA zs7OzgAAAA", `[A-Za-z0-9+/=]{16,}`},
	{"Kerberos keytabs", "key", "BQIAAA", `[A-Za-z0-9+/=]{40,}`},
}

// formClues returns the prefixes as clues. A prefix of fewer than three letters is extended with each character of its
// alphabet.
func formClues() []clue {
	var out []clue
	for i := range forms {
		f := &forms[i]
		body := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + f.body + `)`) })
		for prefix := range strings.FieldsSeq(f.prefixes) {
			for _, text := range clueTexts(prefix) {
				out = append(out, f.clue(text, prefix, body))
			}
		}
	}
	return out
}

// next are the characters that may follow a prefix that is too short for a clue.
const next = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func clueTexts(prefix string) []string {
	if len(prefix) >= 3 {
		return []string{prefix}
	}
	var out []string
	for _, c := range next {
		out = append(out, prefix+string(c))
	}
	return out
}

func (f *form) clue(text, prefix string, body func() *regexp.Regexp) clue {
	return clue{text: text, exact: true, word: true, find: func(_ *Lines, s string, at, _ int, out []span) []span {
		if f.continues(s, at, prefix) {
			return out
		}
		m := body().FindStringIndex(s[at+len(prefix):])
		if m == nil {
			return out
		}
		end := at + len(prefix) + m[1]
		if f.kind == "access-key-id" {
			return keyAfterID(s, end, append(out, span{at, end, f.kind}))
		}
		if m[1] < 32 && !anyDigit(s[at:end]) {
			return out
		}
		return append(out, span{at, end, f.kind})
	}}
}

// continues reports whether the prefix is part of a longer word: downward-api-..., or base64 of something else.
func (f *form) continues(s string, at int, prefix string) bool {
	if at == 0 {
		return false
	}
	switch s[at-1] {
	case '-':
		return strings.HasSuffix(prefix, "-")
	case '+', '/':
		return f.kind == "jwt"
	}
	return false
}

// keyAfterID redacts the secret key that follows its access key ID.
func keyAfterID(s string, end int, out []span) []span {
	lo := skip(s, end, " \t:,|", 3)
	hi := lo
	for hi < len(s) && hi-lo <= 40 && isStandardBase64(s[hi]) {
		hi++
	}
	if hi-lo == 40 && lo > end {
		out = append(out, span{lo, hi, "key"})
	}
	return out
}
