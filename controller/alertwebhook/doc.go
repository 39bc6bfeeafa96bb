// Package alertwebhook receives alerts about nodes from Alertmanager and sends one message that says why, and what not to do. It is off by
// default, and never holds an alert back.
package alertwebhook
