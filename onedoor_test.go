package nodetriage_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commandWord is how a command begins in a text. Words that are English as well count with what follows them in commands alone.
var commandWord = regexp.MustCompile("(?:^|[\\s;:(|`'\"&])(?:" +
	`(?:kubectl|az|aws|gcloud|eksctl|helm|ssh|scp|sudo|systemctl|crictl|ctr|journalctl|curl|wget|openssl|modprobe|dmesg|systemd-cgls|chroot|nsenter|powershell|oc|talosctl)\s+[\w-]` +
	`|nodetriage\s+(?:[a-z]+ |[a-z]+-[a-z]+)|(?:ls|tail|cat|grep|stat|du|df|ip|tar)\s+(?:-|/)|(?:ls|cat|tail -n [0-9]+) $|timeout [0-9]+ )`)

// commandEnd ends a command in a text: what follows is another, or a sentence.
var commandEnd = regexp.MustCompile(`[;)\n]|[,:.] `)

// unfinished is the end of a text that waits for a value.
var unfinished = regexp.MustCompile(`[ =/'"]$`)

// noCommands are texts that look like commands and are never run.
var noCommands = map[string]string{
	"a nodetriage drain of ": "who cordoned a node",
}

// decodesCommands are the files that fill a shell.Text from a file, with the reason. All others read documents by bounds.JSON, which
// drops commands.
var decodesCommands = map[string]string{
	"knowledge/catalog/cause.go":     "the knowledge: pages of the program, or of an archive that the user chose; names are put into its commands by shell",
	"knowledge/catalog/catalog.go":   "the same",
	"knowledge/catalog/builtin.go":   "a file of the program",
	"knowledge/catalog/providers.go": "a file of the program",
	"knowledge/catalog/platforms.go": "the same",
	"knowledge/catalog/asks.go":      "the same",
	"knowledge/catalog/fit.go":       "a caution of a page of the knowledge",
}

// Every text that a person may paste into a shell is made by package shell. Its type keeps other strings out of the fields of
// results; this finds texts that have no such field: commands in errors and sentences, and conversions to the type.
func TestOneDoorForCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of the whole program")
	}
	for _, p := range typed(t) {
		if !strings.HasSuffix(p.path, "/shell") {
			p.eachBypass(func(at token.Position, what string) { t.Errorf("%s: %s", at, what) })
		}
	}
}

// eachBypass visits the places where a package makes a command without package shell.
func (p *typedPackage) eachBypass(visit func(at token.Position, what string)) {
	p.findCommands()
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			what := p.bypasses(n)
			if what != "" {
				visit(p.fset.Position(n.Pos()), what)
			}
			return what == ""
		})
	}
}

// bypasses says how an expression makes a command without package shell; "" if it does not.
func (p *typedPackage) bypasses(n ast.Node) string {
	switch e := n.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD && p.isString(e) && !p.isText(e) && p.constant(e) == nil && p.joins(parts(e), "") {
			return "a command is joined with a text that is no shell.Text: shell.Format makes it"
		}
	case *ast.AssignStmt:
		if e.Tok == token.ADD_ASSIGN && !p.isText(e.Lhs[0]) && p.joins(append([]ast.Expr{e.Lhs[0]}, parts(e.Rhs[0])...), "") {
			return "a command goes on with a text that is no shell.Text: shell.Format makes it"
		}
	case *ast.CompositeLit:
		if list, ok := p.info.TypeOf(e).Underlying().(*types.Slice); ok && types.Identical(list.Elem(), types.Typ[types.String]) && p.joins(e.Elts, " ") {
			return "the words of a command have one that is no shell.Text: shell.Format makes it"
		}
	case *ast.CallExpr:
		return p.calls(e)
	}
	return ""
}

// calls says how a call makes a command without package shell.
func (p *typedPackage) calls(e *ast.CallExpr) string {
	fun := p.info.Types[e.Fun]
	switch {
	case fun.IsType() && isText(fun.Type) && len(e.Args) == 1 && p.constant(e.Args[0]) == nil:
		return "a text becomes a shell.Text without a look at it: shell.Format, Fill and Words put names in"
	case fun.IsType():
		return ""
	}
	if why := p.formats(e); why != "" {
		return why
	}
	if why := p.replaces(e); why != "" {
		return why
	}
	if why := p.begins(e); why != "" {
		return why
	}
	return p.decodes(e)
}

// begins says whether a call gets the beginning of a command, which waits for a value.
func (p *typedPackage) begins(call *ast.CallExpr) string {
	if compares.MatchString(p.nameOf(call)) {
		return ""
	}
	for _, arg := range call.Args {
		if said := p.said(arg); unfinished.MatchString(said) && p.goTyped(arg) && open(said) {
			return fmt.Sprintf("%q begins a command in a text that is no shell.Text: shell.Format makes it", said)
		}
	}
	return ""
}

// compares are functions that look for a text in another.
var compares = regexp.MustCompile(`^(?:strings|bytes|slices)\.(?:Has|Contains|Cut|Trim|Index|Equal)|^strings\.Replace`)

// reads are functions that take a value of any type and do not change it.
var reads = regexp.MustCompile(`Marshal(?:Indent)?$|Encode$|^reflect\.|^fmt\.|nodetriage/report\.JSON$|redact\.Redactor\)\.Object$|\.writeLine$`)

// joins reports whether these parts of a text have a command with a foreign part in it.
func (p *typedPackage) joins(parts []ast.Expr, between string) bool {
	said := ""
	for _, part := range parts {
		if s := p.said(part); s != "" && (p.constant(part) != nil || said == "") {
			said += s + between
			continue
		}
		if open(said) && p.foreign(part) {
			return true
		}
		said += "x" + between
	}
	return false
}

// formats says whether a call puts a foreign text into a command of its format.
func (p *typedPackage) formats(call *ast.CallExpr) string {
	for i, arg := range call.Args {
		format := p.said(arg)
		if !strings.Contains(format, "%") {
			continue
		}
		said, from, next := "", 0, i+1
		for _, verb := range verbs.FindAllStringIndex(format, -1) {
			said += format[from:verb[0]]
			from = verb[1]
			if format[verb[1]-1] == '%' {
				continue
			}
			if next >= len(call.Args) {
				break
			}
			put := call.Args[next]
			next++
			if open(said) && p.foreign(put) {
				return fmt.Sprintf("%q puts a text into a command that is no shell.Text: shell.Format makes it", format)
			}
			said += p.said(put)
		}
	}
	return ""
}

var verbs = regexp.MustCompile(`%[-+# 0-9.*\[\]]*[a-zA-Z%]`)

// replaces says whether a call puts a foreign text in place of a part of a command.
func (p *typedPackage) replaces(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, "Replace") || len(call.Args) == 0 {
		return ""
	}
	in := call.Args[0]
	if p.goTyped(in) && commandWord.MatchString(p.said(in)) && (len(call.Args) == 1 || slices.ContainsFunc(call.Args[1:], p.foreign)) {
		return "a text takes the place of a part of a command: shell.Format makes it"
	}
	return ""
}

// decodes says whether a call fills a type that has a shell.Text with what a file says.
func (p *typedPackage) decodes(call *ast.CallExpr) string {
	signature, ok := p.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	name := p.nameOf(call)
	if !ok || reads.MatchString(name) || strings.HasPrefix(name, module+"evidence/bounds.JSON") || strings.HasPrefix(name, module+"evidence/bounds.ReadJSON") {
		return ""
	}
	for i, arg := range call.Args {
		if pointer, ok := p.info.TypeOf(arg).(*types.Pointer); ok && i < signature.Params().Len() && isAny(signature.Params().At(i).Type()) && holdsText(pointer.Elem(), map[types.Type]bool{}) {
			if file := p.file(call); decodesCommands[file] == "" {
				return fmt.Sprintf("%s fills commands from a file: bounds.JSON leaves them out", name)
			}
		}
	}
	return ""
}

// foreign reports whether an expression is a text that package shell did not make.
func (p *typedPackage) foreign(e ast.Expr) bool {
	return p.constant(e) == nil && !p.isText(e) && !p.isNumber(e) && !p.madeOfText(e)
}

// madeOfText reports whether the expression is string(x) of a shell.Text, or a call that only cleans one.
func (p *typedPackage) madeOfText(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && len(call.Args) == 1 && p.info.Types[call.Fun].IsType() && p.isText(call.Args[0])
}

// said is what a string is that the program has not put together: a constant, or what a variable begins as.
func (p *typedPackage) said(e ast.Expr) string {
	if v := p.constant(e); v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	if o := p.object(e); o != nil {
		return p.commands[o]
	}
	return ""
}

// findCommands notes the variables and fields that begin as a command.
func (p *typedPackage) findCommands() {
	p.commands = map[types.Object]string{}
	note := func(to, from ast.Expr) {
		if o := p.object(to); o != nil && p.constant(from) != nil && p.goTyped(from) && commandWord.MatchString(p.said(from)) {
			p.commands[o] = p.said(from)
		}
	}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i := range min(len(n.Lhs), len(n.Rhs)) {
					note(n.Lhs[i], n.Rhs[i])
				}
			case *ast.ValueSpec:
				for i := range min(len(n.Names), len(n.Values)) {
					note(n.Names[i], n.Values[i])
				}
			case *ast.KeyValueExpr:
				note(n.Key, n.Value)
			}
			return true
		})
	}
}

// open reports whether a text ends within a command.
func open(said string) bool {
	for text := range noCommands {
		said = strings.ReplaceAll(said, text, "")
	}
	all := commandWord.FindAllStringIndex(said, -1)
	if len(all) == 0 {
		return false
	}
	return !commandEnd.MatchString(said[all[len(all)-1][0]+1:])
}

func parts(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return append(parts(e.X), parts(e.Y)...)
	case *ast.ParenExpr:
		return parts(e.X)
	}
	return []ast.Expr{e}
}

// file is the path of the file of a node, in the module.
func (p *typedPackage) file(n ast.Node) string {
	in := strings.TrimPrefix(strings.TrimPrefix(p.path, strings.TrimSuffix(module, "/")), "/")
	return filepath.ToSlash(filepath.Join(in, filepath.Base(p.fset.Position(n.Pos()).Filename)))
}
