package redact

import "strings"

// vendors are services whose keys have no prefix. A random value of a name with such a word is a key.
var vendors = strings.Fields(`adafruit adobe airtable algolia alibaba aliyun asana atlassian confluence jira beamer bitbucket bittrex meraki codecov
	cloudflare cloudant cohere coinbase confluent contentful datadog discord drone dropbox etsy facebook fastly finicity finnhub flickr freshbooks
	gitter heroku hubspot intercom jfrog artifactory bintray kraken kucoin launchdarkly linear linkedin linked_in looker mailchimp mailgun mapbox
	mattermost messagebird netlify newrelic new-relic new_relic nytimes okta opsgenie pagerduty plaid privateai rapidapi sendbird sentry
	snyk softlayer sonar squarespace sumologic sumo telegram travis twilio twitch twitter yandex zendesk contribsys`)

const (
	maxVendorName = 24 // bytes between the word and the assignment operator
	minVendorKey  = 15
)

func vendorClues() []clue {
	var out []clue
	for _, v := range vendors {
		out = append(out, clue{text: v, find: findVendor})
	}
	return out
}

// findVendor redacts the value of a name with the word, if it looks like a key.
func findVendor(_ *Lines, s string, at, end int, out []span) []span {
	p := end
	for p < len(s) && p-end < maxVendorName && isNameByte(s[p]) {
		p++
	}
	p, _ = closeQuote(s, p)
	p = skip(s, p, " \t", 4)
	sep := separator(s[p:])
	if sep == 0 {
		return out
	}
	lo := skip(s, p+sep, " \t", 8)
	hi := bareEnd(s, lo)
	if from, to, ok := inQuotes(s, lo); ok {
		lo, hi = from, to
	}
	if v := s[lo:hi]; len(v) >= minVendorKey && !hidden(v) && vendorKey(v) {
		return append(out, span{lo, hi, "token"})
	}
	return out
}

// vendorKey distinguishes a key from versions, names, image digests and addresses.
func vendorKey(v string) bool {
	hexadecimal := len(v) >= 20 && strings.Trim(v, "0123456789abcdefABCDEF") == ""
	return uuid.MatchString(v) || hexadecimal && !isNumber(v) || looksRandom(v, minVendorKey)
}
