package bounds_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

type advised struct {
	Why  string         `json:"why"`
	How  shell.Text     `json:"how"`
	More []shell.Text   `json:"more"`
	In   *advised       `json:"in"`
	List []advised      `json:"list"`
	By   map[string]any `json:"by"`
	Each map[string]struct {
		How shell.Text `json:"how"`
	} `json:"each"`
}

// Commands in an untrusted document are dropped because users paste values of this type.
func TestStrangersHaveNoCommands(t *testing.T) {
	var got advised
	doc := `{"why":"w","how":"reboot","more":["reboot"],"in":{"why":"i","how":"reboot"},"list":[{"why":"l","how":"reboot"}],"each":{"a":{"how":"reboot"}}}`
	if err := bounds.JSON([]byte(doc), &got); err != nil {
		t.Fatal(err)
	}
	if got.How != "" || got.More[0] != "" || got.In.How != "" || got.List[0].How != "" || got.Each["a"].How != "" {
		t.Errorf("commands of a stranger: %+v", got)
	}
	if got.Why != "w" || got.In.Why != "i" || got.List[0].Why != "l" {
		t.Errorf("words are lost: %+v", got)
	}
}
