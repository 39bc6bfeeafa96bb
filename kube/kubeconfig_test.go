package kube

import (
	"errors"
	"strings"
	"testing"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

const plainConfig = `{apiVersion: v1, kind: Config, clusters: [{name: a, cluster: {server: "https://a"}}], users: [{name: u, user: {token: t}}], ` +
	`contexts: [{name: c, context: {cluster: a, user: u}}], current-context: c}`

func TestParseConfig(t *testing.T) {
	aliases := "apiVersion: v1\nkind: Config\na: &t " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*t,", 20) + "]\n"
	if _, err := ParseConfig([]byte(aliases)); !errors.Is(err, bounds.ErrAliases) {
		t.Errorf("aliases: %v", err)
	}
	if _, err := ParseConfig([]byte(strings.Repeat("-\n", bounds.MaxGlyphs+1))); !errors.Is(err, bounds.ErrLongYAML) {
		t.Errorf("many items: %v", err)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n", "null", "{}"} {
		if config, err := ParseConfig([]byte(empty)); err != nil || len(config.Clusters) != 0 {
			t.Errorf("%q: %v %v", empty, config, err)
		}
	}
	config, err := ParseConfig([]byte(plainConfig + "\n---\n" + strings.Replace(plainConfig, "https://a", "https://b", 1)))
	if err != nil || config.Clusters["a"].Server != "https://a" || config.AuthInfos["u"].Token != "t" {
		t.Errorf("of two documents the first counts: %v %v", config, err)
	}
}

// The first of two files wins, and the second adds missing entries.
func TestMergeConfigs(t *testing.T) {
	var configs []*clientcmdapi.Config
	for _, text := range []string{
		"clusters: [{name: a, cluster: {server: first}}]",
		"clusters: [{name: a, cluster: {server: second}}, {name: b, cluster: {server: second}}]\ncurrent-context: second",
		"current-context: third",
	} {
		config, err := ParseConfig([]byte("apiVersion: v1\nkind: Config\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, config)
	}
	all := MergeConfigs(configs)
	if got := all.Clusters["a"].Server + " " + all.Clusters["b"].Server + " " + all.CurrentContext; got != "first second second" {
		t.Error(got)
	}
}

func FuzzKubeconfig(f *testing.F) {
	f.Add(plainConfig)
	f.Add("clusters: [null, {name: a, cluster: null}]\nusers: [null, {name: u, user: null}]\ncontexts: [{name: c, context: null}]\n")
	f.Add("users: [{name: u, user: {exec: {command: x, args: [null], env: [null]}, auth-provider: null}}]\n")
	f.Add("a: &a [1]\nclusters: *a\n---\n")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		config, err := ParseConfig([]byte(text))
		if err != nil {
			return
		}
		for name, cluster := range MergeConfigs([]*clientcmdapi.Config{config, config}).Clusters {
			if cluster == nil {
				t.Errorf("%q has no value", name)
			}
		}
	})
}
