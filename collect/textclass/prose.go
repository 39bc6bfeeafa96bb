package textclass

import (
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// chat is what precedes a sentence in a mail or a chat: quotes, a time, a name.
const chat = `^[\s>*-]*(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]? +)?(?:<?@?[a-z][\w.]{1,20}>?: +)?`

var (
	// question starts as only people ask. A greeting may precede it.
	question = prefilter.MustCompile(`(?i)` + chat + `(?:(?:so|and|but|ok|okay|also|hmm|well|btw|or|then)[, ]+)?(?:(?:hi|hello|hey|dear|good (?:morning|evening|day))\b[^.!?]{0,40}[,.!:]?\s+)?(?:is|are|am|was|were|can|could|does|do|did|has|have|had|will|would|should|shall|may|might|how|what|why|when|where|which|who|any(?:one|body)|some(?:one|body)|any idea)\b.*\?\W*$`)
	greeting = prefilter.MustCompile(`(?i)` + chat + `(?:hi|hello|hey|dear|good (?:morning|evening|day)|thanks|thank you|please)\b[\s,.!:]`)
	// asks is a question without a question mark.
	asks = prefilter.MustCompile(`(?i)\b(?:(?:would|might) be (?:good|great|nice|helpful)|wonder(?:ing)? (?:if|whether|why|what)|not sure (?:if|whether|why|what)|no idea|(?:want|like|need) to know|let (?:me|us) know)\b`)
	// example starts a hypothetical statement.
	example = prefilter.MustCompile(`(?i)` + chat + `(?:for example|for instance|e\.g\.|suppose|imagine|let's say|assume)\b`)
	// first matches the first person.
	first = prefilter.MustCompile(`(?:^|[\s("'])(?:I|I'm|I've|I'd|I'll|[Mm]y|[Ww]e|[Ww]e're|[Ww]e've|[Oo]ur|me|us|mine|ours)(?:[\s,.;:!?)'"]|$)`)
	// service matches first-person errors of clouds.
	service = prefilter.MustCompile(`(?i)\bwe (?:currently )?(?:do not|don't|did not) have\b|\bwe (?:are|were) (?:currently )?(?:unable|not able)\b|\bwe're sorry\b|\bour (?:system|service|data ?center)s?\b`)
	// record matches the start of a line that a program wrote.
	record = prefilter.MustCompile(`^\s*(?:\[?\d{4}[-/]\d\d|[IWEF]\d{4} |[A-Z][a-z]{2} +\d{1,2} \d\d:|\[ *\d+\.\d+\]|\{"|time="|\w+="?\S|\S+\[\d+\]: |<\d+>|(?:ERROR|ERRO|WARN|WARNING|INFO|FATAL|FATA|PANIC|DEBUG|CRITICAL|NOTICE|error|warning|fatal)\b[ :\[])`)
)

// minWords is the minimum number of words in a sentence.
const minWords = 5

// isProse reports whether a line is a sentence in which a person describes a problem or asks.
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

var (
	// step matches an item of a list of things to do.
	step = prefilter.MustCompile(`^\s*(?:[-*+•]|\(?\d{1,2}[.):])\s+(?:Apply|Check|Cordon|Delete|Deploy|Drain|Install|Launch|Open|Reboot|Remove|Restart|Run|Start|Stop|Try|Wait)\s+[a-z]`)
	// outcome matches what happened after a step.
	outcome = prefilter.MustCompile(`(?i)\b(?:but|errors?|fail(?:s|ed|ure)?|hangs?|hung|stuck|never|cannot|can't|not|still|observe|see)\b`)
)

// isInstruction reports whether a line is a step of a procedure, as in a report's steps to reproduce. It is not what happened.
func isInstruction(line string) bool {
	text := prefilter.NewText(line)
	return step.Match(text) && !outcome.Match(text) && sentence(line)
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

// complaint matches words with which people report that something does not work.
var complaint = prefilter.MustCompile(`(?i)\b(?:stop(?:s|ped)?|stuck|prevent(?:s|ed|ing)?|blocks?|blocked|hangs?|hung|broken?|breaks?|broke|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|errors?|cannot|can't|could ?n[o']t|does ?n[o']t|do ?n[o']t|did ?n[o']t|wo ?n't|not able|unable|never|wrong|missing|lost|refused|denied|expired|not (?:work|start|join|come|ready)\w*)\b`)

// Complains reports whether a sentence of a person reports that something does not work, and is no question.
func Complains(line string) bool {
	text := prefilter.NewText(line)
	return complaint.Match(text) && !question.Match(text) && !greeting.Match(text)
}

var (
	// salutation matches a line that starts or ends a letter.
	salutation = prefilter.MustCompile(`(?i)^[\s>*-]*(?:hi|hello|hey|dear|good (?:morning|evening|day)|thanks|thank you|cheers|regards|best regards|many thanks)\b[^:=]{0,40}$`)
	// title matches a line in capital letters.
	title = prefilter.MustCompile(`^[\s#*>-]*[A-Z]{3,}(?: [A-Z]{2,}){0,5}\s*$`)
)

// maxTitle is the maximum length of a line that only introduces the next one, in bytes.
const maxTitle = 100

// Heading reports whether a line is only a heading or a greeting, without content.
func Heading(line string) bool {
	if len(line) > maxTitle {
		return false
	}
	text := prefilter.NewText(line)
	introduces := strings.HasSuffix(strings.TrimRight(line, " \t"), ":") && !record.Match(text)
	return introduces || salutation.Match(text) || title.Match(text)
}
