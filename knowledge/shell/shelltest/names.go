// Package shelltest pastes commands that the program prints into real shells, with hostile names.
package shelltest

import "strings"

// Mark is a part of every hostile name. An argument that contains it contains the whole name.
const Mark = "q9"

// canary is what a hostile name executes: a program, which the Room records, or a redirection.
const canary = "touch PWN"

// Names execute something in a shell, unless they are quoted as one word.
var Names = []string{
	"$(touch PWN)q9", "`touch PWN`q9", "q9;touch PWN", "q9&touch PWN", "q9&&touch PWN", "q9||touch PWN", "q9|touch PWN", "q9\ntouch PWN", "q9\r\ntouch PWN", "q9\rtouch PWN",
	"'q9;touch PWN;'", "\"q9;touch PWN;\"", "q9'$(touch PWN)'", "q9\"$(touch PWN)\"", "q9\\';touch PWN;\\'", "q9' ; touch PWN ; '", "q9\"; touch PWN; \"", "$(:>PWN)q9", "`:>PWN`q9", "q9;:>PWN",
	"q9>PWN", "q9<PWN", "<(touch PWN)q9", ">(touch PWN)q9", "q9 >>PWN", "q9 2>PWN", "q9>|PWN", "q9)touch PWN(", "(touch PWN)q9", "{ touch PWN;}q9", "q9\\\ntouch PWN", "$'\\n'touch PWN q9",
	"--q9=$(touch PWN)", "-o=q9;touch PWN", "--all q9", "-q9", "@/etc/q9", "~q9", "!q9", "{q9,b}", "[q9]*", "q9?*", "#q9", "q9#;touch PWN", "=q9", "%q9%", "^q9", "q9\\", "q9,all", "q9=all",
	"$IFS$(touch${IFS}PWN)q9", "${q9:=`touch PWN`}", "$((q9[$(touch PWN)]))", "q9\u00a0;touch PWN", "q9\u202e;touch PWN", "q9\u200b;touch\u00a0PWN", "q9\x00;touch PWN", "q9\x1b[2K;touch PWN",
	"../../PWN/q9", "q9/../../PWN", "q9 $(touch PWN)" + strings.Repeat("a", 3000), "q9\u037etouch PWN", "q9\uff1btouch PWN", "q9',(touch PWN),'", "q9]'; touch PWN; '[", "{node}q9;touch PWN", "<node>q9;touch PWN",
}
