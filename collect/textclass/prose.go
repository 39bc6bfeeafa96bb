package textclass

import (
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// chat is what stands before a sentence in a mail or in a chat: quotes, a time, a name.
const chat = `^[\s>*-]*(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]? +)?(?:<?@?[a-z][\w.]{1,20}>?: +)?`

var (
	// question begins as only people ask. A greeting may stand before it.
	question = prefilter.MustCompile(`(?i)` + chat + `(?:(?:so|and|but|ok|okay|also|hmm|well|btw|or|then)[, ]+)?(?:(?:hi|hello|hey|dear|good (?:morning|evening|day))\b[^.!?]{0,40}[,.!:]?\s+)?(?:is|are|am|was|were|can|could|does|do|did|has|have|had|will|would|should|shall|may|might|how|what|why|when|where|which|who|any(?:one|body)|some(?:one|body)|any idea)\b.*\?\W*$`)
	greeting = prefilter.MustCompile(`(?i)` + chat + `(?:hi|hello|hey|dear|good (?:morning|evening|day)|thanks|thank you|please)\b[\s,.!:]`)
	// asks is a question without its mark.
	asks = prefilter.MustCompile(`(?i)\b(?:(?:would|might) be (?:good|great|nice|helpful)|wonder(?:ing)? (?:if|whether|why|what)|not sure (?:if|whether|why|what)|no idea|(?:want|like|need) to know|let (?:me|us) know)\b`)
	// example begins what only might be.
	example = prefilter.MustCompile(`(?i)` + chat + `(?:for example|for instance|e\.g\.|suppose|imagine|let's say|assume)\b`)
	// first is somebody who speaks of himself.
	first = prefilter.MustCompile(`(?:^|[\s("'])(?:I|I'm|I've|I'd|I'll|[Mm]y|[Ww]e|[Ww]e're|[Ww]e've|[Oo]ur|me|us|mine|ours)(?:[\s,.;:!?)'"]|$)`)
	// service is how clouds speak of themselves in their errors.
	service = prefilter.MustCompile(`(?i)\bwe (?:currently )?(?:do not|don't|did not) have\b|\bwe (?:are|were) (?:currently )?(?:unable|not able)\b|\bwe're sorry\b|\bour (?:system|service|data ?center)s?\b`)
	// record is the head of a line that a program wrote.
	record = prefilter.MustCompile(`^\s*(?:\[?\d{4}[-/]\d\d|[IWEF]\d{4} |[A-Z][a-z]{2} +\d{1,2} \d\d:|\[ *\d+\.\d+\]|\{"|time="|\w+="?\S|\S+\[\d+\]: |<\d+>|(?:ERROR|ERRO|WARN|WARNING|INFO|FATAL|FATA|PANIC|DEBUG|CRITICAL|NOTICE|error|warning|fatal)\b[ :\[])`)
)

// minWords is how many words a sentence has at least.
const minWords = 5

// isProse reports whether a line is a sentence of a person about what he sees or asks.
func isProse(line string) bool {
	text := prefilter.NewText(line)
	switch {
	case record.Match(text):
		return false
	case question.Match(text):
		return true
	case service.Match(text) || !sentence(line):
		return false
	}
	return greeting.Match(text) || asks.Match(text) || example.Match(text) || first.Match(text)
}

// sentence reports whether most of a line are plain words.
func sentence(line string) bool {
	plain, all := 0, 0
	for word := range strings.FieldsSeq(line) {
		all++
		if strings.IndexFunc(strings.Trim(word, ".,;:!?()\"'`"), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' }) < 0 {
			plain++
		}
	}
	return all >= minWords && 2*plain > all
}

// complaint are words by which people say that something does not work.
var complaint = prefilter.MustCompile(`(?i)\b(?:stop(?:s|ped)?|stuck|prevent(?:s|ed|ing)?|blocks?|blocked|hangs?|hung|broken?|breaks?|broke|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|errors?|cannot|can't|could ?n[o']t|does ?n[o']t|do ?n[o']t|did ?n[o']t|wo ?n't|not able|unable|never|wrong|missing|lost|refused|denied|expired|not (?:work|start|join|come|ready)\w*)\b`)

// Complains reports whether a sentence of a person says that something does not work, and is no question.
func Complains(line string) bool {
	text := prefilter.NewText(line)
	return complaint.Match(text) && !question.Match(text) && !greeting.Match(text)
}

var (
	// salutation is a line with which a letter begins or ends.
	salutation = prefilter.MustCompile(`(?i)^[\s>*-]*(?:hi|hello|hey|dear|good (?:morning|evening|day)|thanks|thank you|cheers|regards|best regards|many thanks)\b[^:=]{0,40}$`)
	// title is a line in capital letters.
	title = prefilter.MustCompile(`^[\s#*>-]*[A-Z]{3,}(?: [A-Z]{2,}){0,5}\s*$`)
)

// maxTitle is how long a line is at most that only introduces what comes next, in bytes.
const maxTitle = 100

// Heading reports whether a line only names what comes next, or greets: it says nothing by itself.
func Heading(line string) bool {
	if len(line) > maxTitle {
		return false
	}
	text := prefilter.NewText(line)
	introduces := strings.HasSuffix(strings.TrimRight(line, " \t"), ":") && !record.Match(text)
	return introduces || salutation.Match(text) || title.Match(text)
}
