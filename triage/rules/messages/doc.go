// Package messages has the rules on messages of components: logs, and the messages in events, conditions and statuses.
package messages
