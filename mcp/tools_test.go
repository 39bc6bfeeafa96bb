package mcp_test

import (
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/mcp"
)

// fresh are the parts of an answer that are new in each run: the ids of kept answers.
var fresh = regexp.MustCompile(`(nodetriage://evidence/|"cursor": ")[a-z2-7]{26}`)

// Each tool answers about the shop, with a structured answer of its schema and the same answer as text.
func TestEachTool(t *testing.T) {
	s := connected(t, ofShop())
	for _, tool := range slices.Sorted(maps.Keys(everyTool)) {
		t.Run(tool, func(t *testing.T) {
			r := call(t, s, tool, everyTool[tool])
			if r.IsError {
				t.Fatal(textOf(r))
			}
			structured := marshalled(t, r.StructuredContent)
			if same := decoded[any](t, []byte(textOf(r))); string(marshalled(t, same)) != string(structured) {
				t.Errorf("the text differs from the structured answer:\n%s\n%s", textOf(r), structured)
			}
			casetest.Golden(t, "testdata/answers/"+tool+".json", func(w io.Writer) error {
				var pretty map[string]any
				if err := json.Unmarshal(structured, &pretty); err != nil {
					return err
				}
				out, err := json.MarshalIndent(pretty, "", " ")
				if err != nil {
					return err
				}
				_, err = w.Write(append(fresh.ReplaceAll(out, []byte("${1}ID")), '\n'))
				return err
			})
		})
	}
}

// The tools, their descriptions and schemas are a contract. All tools are marked as read-only.
func TestSchemas(t *testing.T) {
	s := connected(t, ofShop())
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint {
			t.Errorf("%s is not marked as read-only", tool.Name)
		}
		if !strings.Contains(tool.Description, "Use it") || !strings.Contains(tool.Description, "Do not use it") {
			t.Errorf("%s: the description does not say when to use it, and when not", tool.Name)
		}
	}
	if want := slices.Sorted(maps.Keys(everyTool)); !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}
	casetest.Golden(t, "testdata/schemas.json", func(w io.Writer) error {
		out, err := json.MarshalIndent(list.Tools, "", " ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(out, '\n'))
		return err
	})
}

// A plan names the command that a person runs, and says that nothing was changed.
func TestPlansAreText(t *testing.T) {
	s := connected(t, ofShop())
	for _, tool := range []string{"plan_drain", "plan_upgrade", "forecast_pods"} {
		a := answered(t, s, tool, everyTool[tool])
		if !strings.HasPrefix(a.Impact, "Nothing was changed.") || a.Next.Kind == "" {
			t.Errorf("%s: impact %q, next %+v", tool, a.Impact, a.Next)
		}
	}
}

// A wrong argument gives a clear error, and names what is accepted.
func TestWrongArguments(t *testing.T) {
	s := connected(t, ofShop())
	for name, c := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"no node":        {"triage_node", map[string]any{"node": ""}, "node is empty"},
		"missing":        {"triage_node", map[string]any{}, "node"},
		"unknown":        {"triage_node", map[string]any{"node": "n9"}, "n9"},
		"unknown field":  {"triage_cluster", map[string]any{"path": "/etc/passwd"}, "path"},
		"wrong type":     {"triage_node", map[string]any{"node": 7}, "node"},
		"huge type":      {"triage_node", map[string]any{"node": []string{strings.Repeat("x", 1_000_000)}}, "node"},
		"huge field":     {"triage_node", map[string]any{"node": "n1", strings.Repeat("x", 1_000_000): 1}, "x"},
		"no text":        {"triage_text", map[string]any{"text": " \n"}, "text is empty"},
		"large text":     {"triage_text", map[string]any{"text": strings.Repeat("kubelet: error\n", 100_000)}, "larger than 1 MiB"},
		"event":          {"forecast_pods", map[string]any{"nodes": []string{"n1"}, "event": "earthquake"}, "power-off"},
		"duration":       {"forecast_pods", map[string]any{"nodes": []string{"n1"}, "backAfter": "soon"}, "backAfter"},
		"no nodes":       {"plan_drain", map[string]any{}, "nodes is empty"},
		"risk":           {"plan_drain", map[string]any{"nodes": []string{"n1"}, "accept": []string{"all"}}, "no-room"},
		"pool":           {"plan_upgrade", map[string]any{"pool": "z"}, "z"},
		"cursor":         {"triage_cluster", map[string]any{"cursor": "x.1"}, "ask again without a cursor"},
		"page":           {"explain_cause", map[string]any{"query": "runtime-hungg"}, "runtime-hung"},
		"large question": {"explain_cause", map[string]any{"query": strings.Repeat("a", 5000)}, "1 to 4096 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := refused(t, s, c.tool, c.args); !strings.Contains(got, c.want) {
				t.Errorf("the error is %s, want %q in it", got, c.want)
			}
		})
	}
}

// The resources: all causes, the page of one, and the evidence behind a finding. What does not exist is not found.
func TestResources(t *testing.T) {
	s := connected(t, ofShop())
	read := func(uri string) (string, error) {
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		return r.Contents[0].Text, nil
	}
	a := answered(t, s, "triage_cluster", nil)
	for uri, want := range map[string]string{
		"nodetriage://causes": "runtime-hung: ", "nodetriage://cause/runtime-hung": "# ", a.First.Evidence: `"untrusted":{`,
	} {
		if got, err := read(uri); err != nil || !strings.Contains(got, want) || len(got) > mcp.MaxAnswer {
			t.Errorf("%s: %v, %d bytes, want %q in it: %s", uri, err, len(got), want, got)
		}
	}
	for _, uri := range []string{"nodetriage://cause/none", "nodetriage://cause/../x", "nodetriage://evidence/x/1/1", a.First.Evidence + "0", "file:///etc/passwd"} {
		if got, err := read(uri); err == nil {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

// The page of each cause fits an answer, and each of its fixes is in a page of explain_cause, with all its commands.
func TestEachCause(t *testing.T) {
	k, err := built()
	if err != nil {
		t.Fatal(err)
	}
	s := connected(t, ofShop())
	for _, c := range k.Catalog.Causes() {
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "nodetriage://cause/" + c.ID})
		if err != nil || len(marshalled(t, r)) > mcp.MaxAnswer*2 || len(r.Contents[0].Text) > mcp.MaxAnswer {
			t.Errorf("%s: %v", c.ID, err)
		}
		commands, want := 0, 0
		for _, m := range c.Remedies {
			want += len(m.Commands)
		}
		for _, i := range allItems(t, s, "explain_cause", map[string]any{"query": c.ID}) {
			if i.Kind == "fix" {
				commands += len(i.Commands)
			}
		}
		if commands != want {
			t.Errorf("%s: the answer has %d commands of fixes, the page %d", c.ID, commands, want)
		}
	}
}

// The prompts name the tools, and their arguments are data.
func TestPrompts(t *testing.T) {
	s := connected(t, ofShop())
	for name, args := range map[string]map[string]string{
		"triage-node": {"node": "n1"}, "review-drain": {"nodes": "n1, n2"}, "write-incident": nil,
	} {
		p, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := p.Messages[0].Content.(*sdk.TextContent).Text
		for _, word := range regexp.MustCompile(`\b(?:triage|plan|verify|check)_[a-z]+\b`).FindAllString(text, -1) {
			if everyTool[word] == nil {
				t.Errorf("%s names the tool %s, which does not exist", name, word)
			}
		}
		if !strings.Contains(text, "untrusted") {
			t.Errorf("%s does not say what is data", name)
		}
	}
	if _, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "triage-node"}); err == nil {
		t.Error("a prompt without its argument is answered")
	}
}
