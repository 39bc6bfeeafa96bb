package alertwebhook

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// Form is the form of messages that a receiver takes.
type Form string

// The forms. Slack and Teams get plain text: the names of nodes and pods cannot be markup in it.
const (
	Generic Form = "generic" // a JSON object with the fields of Message, and heading and text
	Slack   Form = "slack"   // an incoming webhook
	Teams   Form = "teams"   // a webhook of Power Automate, with an Adaptive Card
)

// Forms returns all forms.
func Forms() []Form { return []Form{Generic, Slack, Teams} }

// The limits of Slack (Block Kit reference), in characters.
const (
	slackHeader  = 150
	slackSection = 3000
)

type object = map[string]any

// encode returns the body of a request with the message.
func encode(m *Message, form Form) ([]byte, error) {
	switch form {
	case Generic:
		return json.Marshal(struct {
			*Message
			Heading string   `json:"heading"`
			Text    []string `json:"text"`
		}{m, m.Heading(), m.Lines()})
	case Slack:
		return json.Marshal(slack(m))
	case Teams:
		return json.Marshal(teams(m))
	}
	return nil, fmt.Errorf("unknown form %q", form)
}

func slack(m *Message) object {
	plain := func(text string, most int) object {
		return object{"type": "plain_text", "emoji": false, "text": wording.Cut(text, most)}
	}
	return object{
		"text": slackEscape.Replace(m.Heading()), // where blocks are not shown
		"blocks": []object{
			{"type": "header", "text": plain(m.Heading(), slackHeader)},
			{"type": "section", "text": plain(strings.Join(m.Lines(), "\n"), slackSection)},
		},
	}
}

// slackEscape escapes what starts a mention or a link.
var slackEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func teams(m *Message) object {
	run := func(text string) object { return object{"type": "TextRun", "text": text} }
	heading := run(m.Heading())
	heading["weight"] = "bolder"
	body := []object{{"type": "RichTextBlock", "inlines": []object{heading}}}
	for _, line := range m.Lines() {
		body = append(body, object{"type": "RichTextBlock", "inlines": []object{run(line)}})
	}
	return object{"type": "message", "attachments": []object{{
		"contentType": "application/vnd.microsoft.card.adaptive",
		"content": object{
			"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
			"fallbackText": m.Heading(), "body": body,
		},
	}}}
}
