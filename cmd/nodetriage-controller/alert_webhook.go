package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/nodetriage/nodetriage/controller/alertwebhook"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/wording"
)

// alertWebhook are the settings of the messages about alerts. They are off by default. Token and address of the receiver are secrets, so they
// are in files.
type alertWebhook struct {
	Address   string `json:"alert-webhook-address,omitempty"`
	TokenFile string `json:"alert-webhook-token-file,omitempty"`
	URLFile   string `json:"alert-message-url-file,omitempty"`
	Form      string `json:"alert-message-form,omitempty"`
}

func (a *alertWebhook) check() error {
	if !slices.Contains(alertwebhook.Forms(), alertwebhook.Form(a.Form)) {
		return fmt.Errorf("invalid value %q for --alert-message-form; %s", a.Form, wording.OneOf(a.Form, alertwebhook.Forms()))
	}
	if a.Address != "" && (a.TokenFile == "" || a.URLFile == "") {
		return errors.New("--alert-webhook-address needs --alert-webhook-token-file and --alert-message-url-file")
	}
	return nil
}

// add adds the webhook to the manager if it is on.
func (a *alertWebhook) add(m manager.Manager, cluster string, e *engine.Engine) error {
	if a.Address == "" {
		return nil
	}
	token, err := secret(a.TokenFile)
	if err != nil {
		return err
	}
	receiver, err := secret(a.URLFile)
	if err != nil {
		return err
	}
	if u, err := url.Parse(receiver); err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("%s does not contain an http or https URL", a.URLFile)
	}
	server, err := alertwebhook.New(e, alertwebhook.Options{
		Address: a.Address, Token: token, Cluster: cluster, URL: receiver, Form: alertwebhook.Form(a.Form),
	}, metrics.Registry)
	if err != nil {
		return err
	}
	return m.Add(server)
}

// secret returns the content of a file.
func secret(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if s := strings.TrimSpace(string(text)); s != "" {
		return s, nil
	}
	return "", fmt.Errorf("%s is empty", file)
}
