package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// daemon takes snapshots in a loop and stores the newest report.
type daemon struct {
	look    func(ctx context.Context, before carried, deliver func(outcome)) error
	carried carried

	mu     sync.Mutex
	latest []byte // the report as JSON
	state  figures
}

// figures are metrics of the agent itself.
type figures struct {
	at       time.Time
	took     time.Duration
	looks    int
	gaps     int
	hung     int
	failures int // to write the report
}

// loop takes a snapshot at once and then at each tick. A snapshot that takes longer than a tick delays the next.
func (d *daemon) loop(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		d.once(ctx)
		release()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (d *daemon) once(ctx context.Context) {
	start := time.Now()
	err := d.look(ctx, d.carried, func(o outcome) {
		d.carried = o.Carried
		d.keep(start, o)
	})
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, name+": "+err.Error())
	}
}

// keep stores an outcome.
func (d *daemon) keep(start time.Time, o outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := &d.state
	if o.Failed != "" {
		if s.failures++; s.failures == 1 {
			fmt.Fprintln(os.Stderr, name+": "+o.Failed) // a full disk is expected, so log it once
		}
	}
	if o.Report != nil {
		d.latest = o.Report
		s.at, s.took, s.looks, s.gaps, s.hung = start, time.Since(start), s.looks+1, o.Gaps, o.Hung
	}
}

// serve serves HTTP on a local port until the context ends.
func (d *daemon) serve(ctx context.Context, address string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen at %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /report", d.report)
	mux.HandleFunc("GET /metrics", d.metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 8 << 10}
	go func() { _ = server.Serve(listener) }() // returns when the listener is closed
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	return nil
}

func (d *daemon) report(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	data, at := d.latest, d.state.at
	d.mu.Unlock()
	if data == nil {
		http.Error(w, "the first report is not ready yet", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Age", fmt.Sprint(int(time.Since(at).Seconds())))
	_, _ = w.Write(data)
}

func (d *daemon) metrics(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	s := d.state
	d.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	var out strings.Builder
	add := func(name, kind, help string, value any) {
		fmt.Fprintf(&out, "# HELP nodetriage_agent_%s %s\n# TYPE nodetriage_agent_%s %s\nnodetriage_agent_%s %v\n", name, help, name, kind, name, value)
	}
	if s.looks > 0 {
		add("report_age_seconds", "gauge", "Age of the report.", time.Since(s.at).Seconds())
		add("look_seconds", "gauge", "Duration of the last run of all probes.", s.took.Seconds())
		add("gaps", "gauge", "Facts that the last run could not read.", s.gaps)
		add("hung", "gauge", "Probes and file systems that did not answer in the last run.", s.hung)
	}
	add("looks_total", "counter", "Runs since the start.", s.looks)
	add("write_failures_total", "counter", "Reports that could not be written to disk; they are served all the same.", s.failures)
	_, _ = w.Write([]byte(out.String()))
}
