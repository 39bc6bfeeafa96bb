package agent

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// fakeSystemd answers on the private socket of systemd. Unknown units are not found.
func fakeSystemd(t *testing.T, root string, units map[string]map[string]dbus.Variant) {
	t.Helper()
	fakeBus{units: units}.listen(t, root)
}

type fakeBus struct {
	units map[string]map[string]dbus.Variant
	jobs  []busJob // waiting jobs come after running ones
	deaf  int      // number of ignored empty messages
}

func (f fakeBus) listen(t *testing.T, root string) {
	t.Helper()
	dir := filepath.Join(root, "run/systemd")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "private"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go f.talk(c)
		}
	}()
}

// talk authenticates as in the D-Bus specification and answers calls.
func (f fakeBus) talk(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch line = strings.TrimLeft(line, "\x00"); {
		case strings.HasPrefix(line, "AUTH EXTERNAL"):
			_, _ = c.Write([]byte("OK 0123456789abcdef0123456789abcdef\r\n"))
		case strings.HasPrefix(line, "AUTH"):
			_, _ = c.Write([]byte("REJECTED EXTERNAL\r\n"))
		case strings.HasPrefix(line, "NEGOTIATE_UNIX_FD"):
			_, _ = c.Write([]byte("ERROR\r\n"))
		}
		if strings.HasPrefix(line, "BEGIN") {
			break
		}
	}
	for serial := uint32(1); ; serial++ {
		call, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		answer := &dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(call.Serial())}}
		var body any
		switch member, _ := call.Headers[dbus.FieldMember].Value().(string); member {
		case "LoadUnit":
			name, _ := call.Body[0].(string)
			body = dbus.ObjectPath("/unit/" + strings.NewReplacer(".", "_2e", "-", "_2d").Replace(name))
		case "GetAll":
			at, _ := call.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
			name := strings.NewReplacer("_2e", ".", "_2d", "-").Replace(strings.TrimPrefix(string(at), "/unit/"))
			values, ok := f.units[name]
			if !ok {
				values = map[string]dbus.Variant{"LoadState": dbus.MakeVariant("not-found")}
			}
			body = values
		case "Ping":
			if f.deaf--; f.deaf >= 0 {
				continue
			}
		case "ListJobs":
			body = f.jobs
		case "GetJobBefore":
			before := slices.DeleteFunc(slices.Clone(f.jobs), func(j busJob) bool { return j.State != "running" || j.ID == call.Body[0] })
			body = before
		}
		if body != nil {
			answer.Body = []any{body}
			answer.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body))
		}
		if err := answer.EncodeTo(c, nativeOrder); err != nil {
			return
		}
	}
}

func TestUnits(t *testing.T) {
	h, _ := socketHost(t)
	fakeSystemd(t, h.root, map[string]map[string]dbus.Variant{
		"kubelet.service": {
			"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant("activating"), "SubState": dbus.MakeVariant("auto-restart"),
			"UnitFileState": dbus.MakeVariant("enabled"), "Result": dbus.MakeVariant("exit-code"), "NRestarts": dbus.MakeVariant(uint32(37)),
			"ExecMainCode": dbus.MakeVariant(int32(1)), "ExecMainStatus": dbus.MakeVariant(int32(1)),
			"StateChangeTimestamp": dbus.MakeVariant(uint64(1772359190000000)), "TasksCurrent": dbus.MakeVariant(^uint64(0)), "TasksMax": dbus.MakeVariant(uint64(4915)),
			"MemoryMax": dbus.MakeVariant(uint64(8 << 20)), "MemoryLimit": dbus.MakeVariant(^uint64(0)),
		},
		"containerd.service": {
			"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant("active"), "SubState": dbus.MakeVariant("running"),
			"Result": dbus.MakeVariant("success"), "ActiveEnterTimestamp": dbus.MakeVariant(uint64(1772350000000000)),
			"TasksCurrent": dbus.MakeVariant(uint64(412)), "TasksMax": dbus.MakeVariant(^uint64(0)), "MemoryMax": dbus.MakeVariant(^uint64(0)),
			"ConditionTimestamp": dbus.MakeVariant(uint64(1772350000000000)), "ConditionResult": dbus.MakeVariant(true),
		},
	})
	r := &nodereport.Report{}
	if err := units(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Units) != 2 {
		t.Fatalf("%d units, want those two that exist: %+v", len(r.Units), r.Units)
	}
	kubelet, containerd := r.Units[0], r.Units[1]
	if kubelet.Sub != "auto-restart" || kubelet.Restarts != 37 || kubelet.Result != "exit-code" || kubelet.ExitStatus != "1" || kubelet.Tasks != 0 || kubelet.TasksMax != 4915 || kubelet.MemoryMax != 8<<20 ||
		!kubelet.Since.Equal(time.Date(2026, 3, 1, 9, 59, 50, 0, time.UTC)) {
		t.Errorf("kubelet: %+v", kubelet)
	}
	if containerd.Active != "active" || containerd.Result != "" || containerd.Tasks != 412 || containerd.TasksMax != 0 || containerd.MemoryMax != 0 {
		t.Errorf("containerd: %+v", containerd)
	}
}

// An ignored first message changes nothing.
func TestUnitsDeafAtFirst(t *testing.T) {
	h, _ := socketHost(t)
	fakeBus{deaf: 2, units: map[string]map[string]dbus.Variant{"kubelet.service": {
		"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant("active"), "SubState": dbus.MakeVariant("running"),
	}}}.listen(t, h.root)
	r := &nodereport.Report{}
	if err := units(t.Context(), h, r); err != nil || len(r.Units) != 1 || r.Units[0].Active != "active" {
		t.Errorf("%v, %+v", err, r.Units)
	}
}

// A waiting start job is reported with the job that blocks it and the unit of that job. Failed required units of a
// stopped unit are reported too.
func TestJobs(t *testing.T) {
	h, _ := socketHost(t)
	state := func(active, sub string, more ...string) map[string]dbus.Variant {
		return map[string]dbus.Variant{"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant(active), "SubState": dbus.MakeVariant(sub), "Requires": dbus.MakeVariant(more)}
	}
	fakeBus{units: map[string]map[string]dbus.Variant{
		"kubelet.service":    state("inactive", "dead", "srv-data.mount", "basic.target"),
		"containerd.service": state("failed", "failed", "images.mount", "basic.target"),
		"crio.service":       state("active", "running", "images.mount"),
		"basic.target":       state("active", "active"),
		"srv-data.mount":     state("activating", "mounting"),
		"images.mount":       state("failed", "failed"),
	}, jobs: []busJob{
		{ID: 250, Unit: "srv-data.mount", Type: "start", State: "running", Job: "/job/250", Path: "/unit/1"},
		{ID: 198, Unit: "kubelet.service", Type: "start", State: "waiting", Job: "/job/198", Path: "/unit/2"},
	}}.listen(t, h.root)
	r := &nodereport.Report{}
	if err := units(t.Context(), h, r); err != nil || len(r.Gaps) > 0 {
		t.Fatal(err, r.Gaps)
	}
	states := map[string]string{}
	missing := map[string][]string{}
	for _, u := range r.Units {
		states[u.Name], missing[u.Name] = u.Active, u.Missing
	}
	if want := map[string]string{"kubelet.service": "inactive", "containerd.service": "failed", "crio.service": "active", "srv-data.mount": "activating", "images.mount": "failed"}; !maps.Equal(states, want) {
		t.Errorf("units: %v", states)
	}
	if missing["kubelet.service"] != nil || !slices.Equal(missing["containerd.service"], []string{"images.mount"}) || missing["crio.service"] != nil {
		t.Errorf("missing: %v", missing)
	}
	want := []nodereport.Job{
		{Unit: "kubelet.service", Type: "start", State: "waiting", After: []string{"srv-data.mount"}, Ref: "kubelet.service: start waiting"},
		{Unit: "srv-data.mount", Type: "start", State: "running", Ref: "srv-data.mount: start running"},
	}
	if r.Queue == nil || !reflect.DeepEqual(r.Queue.Jobs, want) {
		t.Errorf("queue: %+v", r.Queue)
	}
}

// If there are more jobs than a report allows, jobs of kubelet and runtime and running jobs are kept.
func TestManyJobs(t *testing.T) {
	h, _ := socketHost(t)
	var jobs []busJob
	add := func(unit, state string) {
		jobs = append(jobs, busJob{ID: uint32(len(jobs) + 1), Unit: unit, Type: "start", State: state, Job: "/job/1", Path: "/unit/1"})
	}
	for i := range maxJobs + 10 {
		add(fmt.Sprintf("other-%d.service", i), "waiting")
	}
	add("srv-data.mount", "running")
	add("kubelet.service", "waiting")
	state := map[string]dbus.Variant{"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant("inactive"), "SubState": dbus.MakeVariant("dead")}
	fakeBus{units: map[string]map[string]dbus.Variant{"kubelet.service": state, "srv-data.mount": state}, jobs: jobs}.listen(t, h.root)
	r := &nodereport.Report{}
	if err := units(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	if q := r.Queue.Jobs; len(q) != maxJobs || q[0].Unit != "kubelet.service" || q[1].Unit != "srv-data.mount" {
		t.Errorf("%d jobs, first %+v", len(q), q[:min(len(q), 2)])
	}
}

// busDial connects in memory to the server of a socket. The fake clock advances only while all goroutines wait, so a
// slow machine adds no time.
func busDial(serve map[string]func(net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		talk := serve[filepath.Base(address)]
		if talk == nil {
			return nil, os.ErrNotExist
		}
		ours, theirs := net.Pipe()
		go talk(theirs)
		return ours, nil
	}
}

// silent reads everything and never answers.
func silent(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// A bus that accepts the connection and does not answer must not block the other socket.
func TestUnitsBusHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := socketHost(t)
		write(t, h, "/etc/kubernetes/kubelet.conf", "") // makes it a node
		a := New(Options{Root: h.root, Signatures: builtin(t)})
		a.system.dial = busDial(map[string]func(net.Conn){"private": silent})
		a.probes = []probe{{"units", 300 * time.Millisecond, units, true}}
		start := time.Now()
		r := a.Look(t.Context())
		if took := time.Since(start); took > time.Minute {
			t.Errorf("it took %s", took)
		}
		if len(r.Gaps) != 1 || r.Gaps[0].What != "units" {
			t.Errorf("gaps: %+v", r.Gaps)
		}
		if len(r.Hung) != 1 || r.Hung[0].What != "service manager" || r.Hung[0].Name != "/run/systemd/private" || r.Hung[0].After <= 0 {
			t.Errorf("hung: %+v", r.Hung)
		}
	})
}

// If systemd answers on its private socket and the bus hangs, units are read and the bus is reported.
func TestUnitsBusAloneHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := socketHost(t)
		systemd := fakeBus{units: map[string]map[string]dbus.Variant{"kubelet.service": {"LoadState": dbus.MakeVariant("loaded"), "ActiveState": dbus.MakeVariant("active")}}}
		h.system.dial = busDial(map[string]func(net.Conn){"private": systemd.talk, "system_bus_socket": silent})
		r := &nodereport.Report{}
		if err := units(t.Context(), h, r); err != nil {
			t.Fatal(err)
		}
		if len(r.Units) != 1 || len(r.Hung) != 1 || r.Hung[0].Name != "/run/dbus/system_bus_socket" || r.Hung[0].After < h.timeouts.greet {
			t.Errorf("units %+v, hung %+v", r.Units, r.Hung)
		}
	})
}

var nativeOrder = binary.LittleEndian
