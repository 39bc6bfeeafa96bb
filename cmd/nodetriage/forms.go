package main

import (
	"io"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/timeline"
	"github.com/nodetriage/nodetriage/triage"
)

func writeReport(w io.Writer, out *outputFlags, r *triage.Report, s *evidence.Snapshot, k *knowledge, at time.Time) error {
	return write(w, out, r, report.Text,
		form{"markdown", func(w io.Writer) error { return report.Markdown(w, r) }},
		form{"junit", func(w io.Writer) error { return report.JUnit(w, r, nodemap.New(s, r, at)) }},
		form{"html", func(w io.Writer) error {
			return report.HTML(w, report.Incident{Report: r, Snapshot: s, Catalog: k.catalog, Signatures: k.signatures, At: at, Version: version})
		}})
}

func writeMap(w io.Writer, out *outputFlags, m *nodemap.Map) error {
	return write(w, out, m, report.Map, form{"html", func(w io.Writer) error { return report.MapHTML(w, m, version) }})
}

func writeNode(w io.Writer, out *outputFlags, d *nodemap.Detail, s *evidence.Snapshot, k *knowledge) error {
	return write(w, out, d, report.Node, form{"html", func(w io.Writer) error {
		t := timeline.New(s, k.signatures, d.Node.Name)
		return report.NodeHTML(w, report.NodeIncident{Detail: d, Timeline: t, Catalog: k.catalog, Version: version})
	}})
}
