package logline

import "github.com/nodetriage/nodetriage/knowledge/prefilter"

var (
	// refusals match statements of a limit or a state that blocks the operation.
	refusals = prefilter.MustCompile(`(?i)\bno more \S.{0,60}\bcan(?:not)? be\b|\bno more can be\b|already mounted|mount point (?:is )?busy|\bincompatible\b|\bno matches for kind\b|\bcannot (?:create|get|list|patch|update) resource\b|` +
		`\bcannot be more than\b|\bis not in any of\b|\bnot found in the list\b|\bno route to host\b|executable file not found|failed to execute|\bcontent mismatch\b|argument list too long|too many open files in system|\b(?:attach|volume|instance|pod|task)s? limit\b`)
	// passedOver matches statements that the program continues without something.
	passedOver = prefilter.MustCompile(`(?i)\bskip(?:s|ped|ping)?\b|\b(?:will be |is |are |being |was )ignored\b|\bignoring\b|\bharmless\b|\bnot fatal\b|\bdeprecated\b|\bdefaulting\b|\bfall(?:s|ing)? back\b|\busing (?:the )?default\b|\bunrecognized environment variable\b|disables this message`)
	// goesWithout matches statements that the program uses something else, so that what is missing or wrong does not stop it.
	goesWithout = prefilter.MustCompile(`(?i)\b(?:will be |is |are |being |was )ignored\b|\bharmless\b|\bnot fatal\b|\bdefaulting\b|\bfall(?:s|ing)? back\b|\busing (?:the )?default\b|\bfound in \S{1,200}, skipping\b|\bskip(?:ping)? (?:loading )?plugin`)
	// bareEnds match exits without a reason.
	bareEnds = prefilter.MustCompile(`(?i)\(code=exited, status=|\bmain process exited, code=|\bfailed with result '|\bstart request repeated too quickly|(?:failed|error|desc =|result|command)[^:]{0,20}[:=]? ?\(?exit (?:status|code)[ :]\d{1,3}\)?\W*$|\bfailed to start .{1,80}\.\s*$|scheduled restart job|unit entered failed state|couldn't initialize a Kubernetes cluster\W*$`)
	// ownError matches the error level of a program: it continued without what failed.
	ownError = prefilter.MustCompile(`(?i)level"?[=:] ?"?(?:err|fatal|panic)`)
	// ownWarning matches a level of a program that is not an error.
	ownWarning = prefilter.MustCompile(`(?i)level"?[=:] ?"?warn|\bWARN(?:ING)?\b[ :\]]`)
)

// Decides returns how much more or less a line explains a failure than its gravity suggests. It is more if the line names a
// limit or a rejection. It is less if the program continues without it, or if the line only reports an exit.
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
		out-- // its text is more severe than its level
	}
	return out
}

// PassedOver reports whether a line says that its program continues without what is missing or wrong.
func PassedOver(line string) bool {
	return goesWithout.Match(prefilter.NewText(line[:min(len(line), 2000)]))
}
