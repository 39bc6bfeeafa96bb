// Package messages has the rules on what components say: their logs, and the messages in events, conditions and statuses.
package messages
