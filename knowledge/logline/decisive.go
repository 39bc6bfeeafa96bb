package logline

import "github.com/nodetriage/nodetriage/knowledge/prefilter"

var (
	// refusals are statements of a limit or of a state that does not let the operation go on.
	refusals = prefilter.MustCompile(`(?i)\bno more \S.{0,60}\bcan(?:not)? be\b|\bno more can be\b|already mounted|mount point (?:is )?busy|\bincompatible\b|\bno matches for kind\b|\bcannot (?:create|get|list|patch|update) resource\b|` +
		`\bcannot be more than\b|\bis not in any of\b|\bnot found in the list\b|\bno route to host\b|executable file not found|failed to execute|\bcontent mismatch\b|argument list too long|too many open files in system|\b(?:attach|volume|instance|pod|task)s? limit\b`)
	// passedOver are statements that the program goes on without what the line speaks of.
	passedOver = prefilter.MustCompile(`(?i)\bskip(?:s|ped|ping)?\b|\b(?:will be |is |are |being |was )ignored\b|\bignoring\b|\bharmless\b|\bnot fatal\b|\bdeprecated\b|\bdefaulting\b|\bfall(?:s|ing)? back\b|\busing (?:the )?default\b|\bunrecognized environment variable\b|disables this message`)
	// goesWithout are statements of what the program does instead, so that what is missing or wrong does not stop it.
	goesWithout = prefilter.MustCompile(`(?i)\b(?:will be |is |are |being |was )ignored\b|\bharmless\b|\bnot fatal\b|\bdefaulting\b|\bfall(?:s|ing)? back\b|\busing (?:the )?default\b|\bfound in \S{1,200}, skipping\b|\bskip(?:ping)? (?:loading )?plugin`)
	// bareEnds are exits without a reason.
	bareEnds = prefilter.MustCompile(`(?i)\(code=exited, status=|\bmain process exited, code=|\bfailed with result '|\bstart request repeated too quickly|(?:failed|error|desc =|result|command)[^:]{0,20}[:=]? ?\(?exit (?:status|code)[ :]\d{1,3}\)?\W*$|\bfailed to start .{1,80}\.\s*$|scheduled restart job|unit entered failed state|couldn't initialize a Kubernetes cluster\W*$`)
	// ownError is a program's own word that a line is an error: it went on without what failed.
	ownError = prefilter.MustCompile(`(?i)level"?[=:] ?"?(?:err|fatal|panic)`)
	// ownWarning is a program's own word that a line is no error.
	ownWarning = prefilter.MustCompile(`(?i)level"?[=:] ?"?warn|\bWARN(?:ING)?\b[ :\]]`)
)

// Decides returns how much more or less a line says about the reason of a failure than its gravity does: more if it names a
// limit or a refusal, less if the program goes on without what it speaks of, or if it says only that something ended.
func Decides(line string) int {
	line = line[:min(len(line), 2000)]
	text := prefilter.NewText(line)
	out := 0
	if refusals.Match(text) {
		out += 3
	}
	if failed := klogLevel(line, 'E') || klogLevel(line, 'F') || ownError.Match(text); !failed && passedOver.Match(text) {
		out -= 6
	}
	if bareEnds.Match(text) {
		out -= 3
	}
	if warns := klogLevel(line, 'W') || ownWarning.Match(text); warns && errorWords.Match(text) {
		out-- // its words are graver than its level
	}
	return out
}

// PassedOver reports whether a line says that its program does without what is missing or wrong.
func PassedOver(line string) bool {
	return goesWithout.Match(prefilter.NewText(line[:min(len(line), 2000)]))
}
