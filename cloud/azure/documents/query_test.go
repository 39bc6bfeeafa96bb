package documents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
)

// The value of a query is restored to its place in the answer.
func TestQueryBack(t *testing.T) {
	for _, c := range []struct{ command, answer, want string }{
		{"az aks show --query provisioningState", `"Failed"`, `{"provisioningState":"Failed"}`},
		{"az aks show --query properties.provisioningState -o json", `"Failed"`, `{"properties":{"provisioningState":"Failed"}}`},
		{"az aks show --query '{state:provisioningState,region:location,identity:identity,pools:agentPoolProfiles[].[name,provisioningState]}'",
			`{"identity":{"principalId":"7c1"},"pools":[["sys","Succeeded"],["w","Failed"]],"region":"we","state":"Succeeded"}`,
			`{"agentPoolProfiles":[{"name":"sys","provisioningState":"Succeeded"},{"name":"w","provisioningState":"Failed"}],"identity":{"principalId":"7c1"},"location":"we","provisioningState":"Succeeded"}`},
		{"az network vnet subnet show --query '{range:addressPrefix,ranges:addressPrefixes,used:length(ipConfigurations || `[]`)}'",
			`{"range":"10.0.0.0/27","ranges":null,"used":27}`, `{"addressPrefix":"10.0.0.0/27","ipConfigurations#":27}`},
		{"az network vnet subnet show --query 'length(ipConfigurations)'", `27`, `{"ipConfigurations#":27}`},
		{`az vm list --query "[].{Name:name,State:provisioningState,Power:powerState}"`, `[{"name":"a","state":"Failed"}]`, `[{"name":"a","provisioningState":"Failed"}]`},
		{`az vm list --query "[?provisioningState=='Failed'].[name,provisioningState]"`, `[{"column1":"a","column2":"Failed"}]`, `[{"name":"a","provisioningState":"Failed"}]`},
		{`az vm list --query "[?provisioningState=='Failed'] | [0].name"`, `"a"`, `[{"name":"a"}]`},
		{"az vmss list --query [].name", `["a","b"]`, `[{"name":"a"},{"name":"b"}]`},
		{`az vmss list --query "[].{\"set\": name, up: upgradePolicy.mode}"`, `[{"set":"a","up":"Manual"}]`, `[{"name":"a","upgradePolicy":{"mode":"Manual"}}]`},
		{"az aks show", `{"name":"a"}`, `{"name":"a"}`},
		{"az aks show --query agentPoolProfiles[0].name", `"np1"`, `{"agentPoolProfiles":[{"name":"np1"}]}`},
		{"az aks show --query \"{a:join(',', names)}\"", `{"a":"b"}`, `null`},
		{"az aks show --query '{a:b'", `{"a":"b"}`, `null`},
		{"az aks show --query '{a:}'", `{"a":"b"}`, `null`},
	} {
		q, asked := queried(c.command)
		var got any
		if q != nil || !asked {
			got = q.back(nil, cloud.Tree(c.answer))
		}
		if raw, err := json.Marshal(got); err != nil || string(raw) != c.want {
			t.Errorf("%s: got %s, want %s", c.command, raw, c.want)
		}
	}
}

// Every query in a suggested command is supported because users paste its answer.
func TestQueriesAreUnderstood(t *testing.T) {
	command := regexp.MustCompile("az [a-z][^\n\"]*--query[ =](?:'[^'\n]*'|\"[^\"\n]*\"|[^ \n\"'`]+)")
	files, n := []string{}, 0
	for _, at := range []string{"causes/*.md", "*.yaml", "providers/*", "../cloud/advice/azure.go"} {
		found, _ := filepath.Glob("../../../knowledge/catalog/" + at)
		files = append(files, found...)
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range command.FindAllString(string(raw), -1) {
			if n++; !understood(c) {
				t.Errorf("%s: %s", filepath.Base(path), c)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d queries were found", n)
	}
}

func understood(command string) bool {
	q, _ := queried(command)
	return q != nil
}

// No query causes a panic.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"{a:b[].[c,d],e:length(f || `[]`)}", "[?a=='b'].{c:d}", "[[[[[{", "a.b[0] | [0]", `"x"."y"[*]`, "length(length("} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		if q, _ := queried("az vm list --query '" + s + "'"); q != nil {
			q.back(nil, []any{map[string]any{"a": "b"}, []any{"c"}, "d"})
		}
	})
}
