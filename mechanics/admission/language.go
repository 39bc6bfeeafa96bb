package admission

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"

	"github.com/nodetriage/nodetriage/evidence"
)

// language compiles expressions. The zero value is ready.
type language struct {
	programs map[string]program
}

type program struct {
	cel.Program
	failed string // why it does not compile here
}

// vocabulary has the CEL libraries and variables of the API server. It is built lazily because most clusters do not
// need it. Objects are untyped because the API server already type-checked a stored policy.
var vocabulary = sync.OnceValues(func() (*cel.Env, error) {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv().Extend(
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType), cel.Variable("params", cel.DynType),
		cel.Variable("request", cel.DynType), cel.Variable("namespaceObject", cel.DynType), cel.Variable("variables", cel.DynType),
		cel.Variable("authorizer", library.AuthorizerType), cel.Variable("authorizer.requestResource", library.ResourceCheckType),
		common.ResolverEnvOption(&mutation.DynamicTypeResolver{}), library.JSONPatch(), // result types of mutations
	)
})

func (l *language) program(expression string) program {
	out, known := l.programs[expression]
	if known {
		return out
	}
	if l.programs == nil {
		l.programs = map[string]program{}
	}
	if env, err := vocabulary(); err != nil {
		out.failed = err.Error()
	} else if ast, issues := env.Compile(expression); issues.Err() != nil {
		out.failed = issues.Err().Error()
	} else if p, err := env.Program(ast, cel.EvalOptions(cel.OptPartialEval), cel.CostLimit(celconfig.PerCallLimit)); err != nil {
		out.failed = err.Error()
	} else {
		out.Program = p
	}
	l.programs[expression] = out
	return out
}

// scope has the variables of one policy for one request.
type scope struct {
	language *language
	values   map[string]any
	unknown  []*cel.AttributePatternType
}

// scope returns a scope. Match conditions cannot access the namespace.
func (l *language) scope(p *Policies, r *Request, variables []admissionv1.Variable, parameters, namespaced bool) *scope {
	var namespace map[string]any
	known := true
	if namespaced && r.namespace != "" {
		n := p.namespaces[r.namespace]
		if known = n != nil; known {
			namespace = map[string]any{"metadata": map[string]any{"name": n.Name, "labels": anyMap(n.Labels)}}
		}
	}
	s := &scope{language: l}
	s.values, s.unknown = r.variables(namespace, known)
	if parameters {
		s.unknown = append(s.unknown, pattern("params"))
	}
	named := map[string]any{}
	s.values["variables"] = named
	for _, v := range variables { // each may use the previous ones
		switch out, depends, failed := s.eval(v.Expression); {
		case depends != "":
			s.unknown = append(s.unknown, cel.AttributePattern("variables").QualString(v.Name))
		case failed != "":
			named[v.Name] = types.NewErr("variable %s: %s", v.Name, failed)
		default:
			named[v.Name] = out
		}
	}
	return s
}

func pattern(path string) *cel.AttributePatternType {
	parts := strings.Split(path, ".")
	out := cel.AttributePattern(parts[0])
	for _, p := range parts[1:] {
		out = out.QualString(p)
	}
	return out
}

// answer is the result of an expression: a boolean, an error, or the unknown input that it depends on.
type answer struct {
	truth           evidence.Fact
	failed, depends string
}

func (s *scope) ask(expression string) answer {
	out, depends, failed := s.eval(expression)
	switch truth, is := out.(types.Bool); {
	case failed != "":
		return answer{failed: bounded(fmt.Sprintf("expression '%s' resulted in error: %s", expression, failed))}
	case depends != "":
		return answer{depends: depends}
	case !is:
		return answer{depends: "an expression that does not return a boolean"}
	default:
		return answer{truth: evidence.Known(bool(truth))}
	}
}

// text returns the string result of an expression, or "" if it is not a string or unknown.
func (s *scope) text(expression string) string {
	out, depends, failed := s.eval(expression)
	if text, is := out.(types.String); is && depends == "" && failed == "" {
		return string(text)
	}
	return ""
}

// eval returns a value, the unknown input that it depends on, or the error that the API server returns.
func (s *scope) eval(expression string) (_ ref.Val, depends, failed string) {
	p := s.language.program(expression)
	if p.failed != "" {
		return nil, "an expression that cannot be evaluated here", ""
	}
	known, err := cel.PartialVars(s.values, s.unknown...)
	if err != nil {
		return nil, "an expression that cannot be evaluated here", ""
	}
	out, _, err := p.Eval(known)
	if err != nil {
		return nil, "", err.Error()
	}
	if u, is := out.(*types.Unknown); is {
		return nil, dependsOn(u), ""
	}
	return out, "", ""
}

// dependsOn names the unknown inputs of an expression.
func dependsOn(u *types.Unknown) string {
	var names []string
	for _, id := range u.IDs() {
		trails, _ := u.GetAttributeTrails(id)
		for _, t := range trails {
			names = append(names, wordsOf(t.String()))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return "data that is not in the evidence"
	}
	return bounded(strings.Join(names, ", "))
}

// wordsOf describes a path for people.
func wordsOf(path string) string {
	switch {
	case strings.HasPrefix(path, "request.userInfo"):
		return "the requester (" + path + ")"
	case strings.HasPrefix(path, "authorizer"):
		return "the requester's permissions"
	case path == "params" || strings.HasPrefix(path, "params."):
		return "its parameters"
	}
	return path
}
