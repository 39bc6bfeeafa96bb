package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// hostUnits are units for clock, DNS and network of a node, and for its setup.
var hostUnits = []string{
	"systemd-timesyncd.service", "chronyd.service", "chrony.service", "ntpd.service", "ntp.service", "ntpsec.service", "systemd-resolved.service",
	"systemd-networkd.service", "NetworkManager.service", "firewalld.service", "dhcpcd.service",
	"nodeadm-config.service", "nodeadm-run.service", "cloud-final.service",
}

// startedUnits are the units of kubelets and runtimes, under all names.
var startedUnits = services(components.PodStarters())

// watchedUnits are the units of a node.
var watchedUnits = slices.Concat(startedUnits, hostUnits, services(components.Units()))

func services(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name + ".service"
	}
	return out
}

// Sockets of systemd. The private one is for root and works without a message bus.
var busSockets = []string{"/run/systemd/private", "/run/dbus/system_bus_socket"}

// units queries systemd over D-Bus for the units of the node (kubelet, runtime, clock, resolver: state, restarts,
// tasks, memory limit), for waiting jobs and their dependencies, and for failed required units. systemd does not answer
// during daemon-reload.
func units(ctx context.Context, h *Host, r *nodereport.Report) error {
	conn, err := h.systemd(ctx, r)
	if err != nil {
		return err
	}
	defer conn.Close()
	b := &bus{conn: conn, manager: conn.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1")}
	wake(ctx, h.timeouts.greet, b.manager)
	for _, name := range watchedUnits {
		values, err := b.properties(ctx, name)
		if err != nil {
			return err
		}
		u := unitOf(name, values)
		if u.Load == "not-found" {
			continue
		}
		if slices.Contains(startedUnits, name) && (u.Active == "inactive" || u.Active == "failed") {
			if u.Missing, err = b.lacking(ctx, r, values); err != nil {
				return err
			}
		}
		addUnit(r, u)
	}
	if err := b.jobs(ctx, r); err != nil {
		gap(r, "jobs of systemd", err, "systemctl list-jobs --after --before")
	}
	return nil
}

// bus is a connection to systemd.
type bus struct {
	conn    *dbus.Conn
	manager dbus.BusObject
}

// wakeAfter is the timeout of systemd for an empty request before the next one is sent.
const wakeAfter = 250 * time.Millisecond

// wake pings systemd until it answers. If systemd receives the last line of the authentication and the first message at
// once, it handles the message only when another one arrives (seen with systemd 252). Without the pings, one in ten
// first calls got no answer.
func wake(ctx context.Context, limit time.Duration, manager dbus.BusObject) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answers := make(chan *dbus.Call, limit/wakeAfter+1)
	for range cap(answers) {
		manager.GoWithContext(ctx, "org.freedesktop.DBus.Peer.Ping", 0, answers)
		select {
		case <-answers: // also after an error, which the next call reports
			return
		case <-time.After(wakeAfter):
		case <-ctx.Done():
			return
		}
	}
}

// properties returns the properties of a unit and, for a service, those of the service.
func (b *bus) properties(ctx context.Context, name string) (map[string]dbus.Variant, error) {
	var at dbus.ObjectPath
	// LoadUnit loads the unit file if needed. It starts nothing.
	if err := b.manager.CallWithContext(ctx, "org.freedesktop.systemd1.Manager.LoadUnit", 0, name).Store(&at); err != nil {
		return nil, fmt.Errorf("ask systemd for %s: %w", name, bad(ctx, err))
	}
	faces := []string{"Unit"}
	if strings.HasSuffix(name, ".service") {
		faces = append(faces, "Service")
	}
	values := map[string]dbus.Variant{}
	for _, face := range faces {
		part := map[string]dbus.Variant{}
		err := b.conn.Object("org.freedesktop.systemd1", at).CallWithContext(ctx, "org.freedesktop.DBus.Properties.GetAll", 0, "org.freedesktop.systemd1."+face).Store(&part)
		if err != nil {
			return nil, fmt.Errorf("ask systemd for %s: %w", name, bad(ctx, err))
		}
		maps.Copy(values, part)
	}
	return values, nil
}

// bad returns a timeout error if the deadline is why a call failed.
func bad(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}

// systemd connects to the manager, through the private socket if it answers. A socket that accepts and does not answer
// is reported: programs that create cgroups through it hang too.
func (h *Host) systemd(ctx context.Context, r *nodereport.Report) (*dbus.Conn, error) {
	conns, errs := make([]*dbus.Conn, len(busSockets)), make([]error, len(busSockets))
	hung := make([]time.Duration, len(busSockets))
	var all sync.WaitGroup
	for i := range busSockets {
		all.Go(func() { conns[i], hung[i], errs[i] = h.greet(ctx, i) })
	}
	all.Wait()
	for i, after := range hung {
		if after > 0 {
			r.Hung = append(r.Hung, nodereport.Hung{What: "service manager", Name: busSockets[i], After: after.Round(time.Millisecond)})
		}
	}
	if i := slices.IndexFunc(conns, func(c *dbus.Conn) bool { return c != nil }); i >= 0 && hung[0] == 0 {
		for _, other := range conns[i+1:] {
			if other != nil {
				other.Close()
			}
		}
		return conns[i], nil
	}
	for _, conn := range conns {
		if conn != nil {
			conn.Close()
		}
	}
	return nil, errors.Join(errs...)
}

// greet authenticates at one of the sockets. hung is how long the socket accepted the connection without an answer.
func (h *Host) greet(ctx context.Context, i int) (conn *dbus.Conn, hung time.Duration, err error) {
	socket := busSockets[i]
	p, err := h.path(socket)
	if err != nil {
		return nil, 0, err
	}
	raw, err := h.system.dial(ctx, "unix", p)
	if err != nil {
		return nil, 0, fmt.Errorf("reach systemd at %s: %w", socket, bareDial(err))
	}
	begin := time.Now()
	end := begin.Add(h.timeouts.greet)
	deadline, ok := ctx.Deadline()
	if ok && deadline.Before(end) {
		end = deadline
	}
	raw.SetDeadline(end)
	// The connection outlives the authentication, so the deadline is on the socket.
	if conn, err = greet(ctx, raw, i == 1); err != nil {
		raw.Close()
		if took := time.Since(begin); !time.Now().Before(end) {
			hung = took
		}
		return nil, hung, fmt.Errorf("greet systemd at %s: %w", socket, bad(ctx, err))
	}
	raw.SetDeadline(deadline) // zero: no deadline
	return conn, 0, nil
}

func greet(ctx context.Context, raw net.Conn, bus bool) (*dbus.Conn, error) {
	conn, err := dbus.NewConn(&wholeMessages{Conn: raw}, dbus.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if err := conn.Auth(nil); err != nil {
		return nil, err
	}
	if bus {
		return conn, conn.Hello()
	}
	return conn, nil
}

func bareDial(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// unitOf converts the properties of a unit (systemd.service(5), org.freedesktop.systemd1(5)).
func unitOf(name string, v unitProperties) nodereport.Unit {
	u := nodereport.Unit{
		Name: name, Load: v.text("LoadState"), Active: v.text("ActiveState"), Sub: v.text("SubState"), Enabled: v.text("UnitFileState"),
		ExitStatus: v.exitStatus(), Tasks: count(v["TasksCurrent"]), TasksMax: count(v["TasksMax"]), MemoryMax: v.memoryMax(),
	}
	if result := v.text("Result"); result != "success" {
		u.Result = result
	}
	if n, ok := v["NRestarts"].Value().(uint32); ok {
		u.Restarts = int(n)
	}
	if v.number("ConditionTimestamp") > 0 && u.Active == "inactive" {
		met, ok := v["ConditionResult"].Value().(bool)
		u.Skipped = ok && !met
	}
	stamp := "ActiveEnterTimestamp"
	if u.Active != "active" {
		stamp = "StateChangeTimestamp"
	}
	if at := v.number(stamp); at > 0 {
		u.Since = time.UnixMicro(int64(at)).UTC().Truncate(time.Second)
	}
	u.Ref = strings.TrimSpace(fmt.Sprintf("%s: %s (%s), %d restarts", name, u.Active, u.Sub, u.Restarts))
	return u
}

// unitProperties are the properties of a unit by name.
type unitProperties map[string]dbus.Variant

func (v unitProperties) text(key string) string { s, _ := v[key].Value().(string); return s }

func (v unitProperties) number(key string) uint64 { n, _ := v[key].Value().(uint64); return n }

// exitStatus returns the exit status of the main process, if it ended with an error.
func (v unitProperties) exitStatus() string {
	code, _ := v["ExecMainCode"].Value().(int32)
	status, _ := v["ExecMainStatus"].Value().(int32)
	if code == 0 || status == 0 {
		return ""
	}
	return fmt.Sprint(status)
}

// memoryMax returns the lowest memory limit; 0: none.
func (v unitProperties) memoryMax() (most uint64) {
	for _, key := range []string{"MemoryMax", "MemoryLimit"} { // MemoryLimit is the older setting, for cgroups v1
		n, ok := v[key].Value().(uint64)
		if !ok || n == math.MaxUint64 {
			continue
		}
		if most == 0 || n < most {
			most = n
		}
	}
	return most
}

// count converts a number whose maximum value means none.
func count(v dbus.Variant) int {
	n, ok := v.Value().(uint64)
	if !ok || n > 1<<40 {
		return 0
	}
	return int(n)
}
