package main

import (
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/timeline"
	"github.com/nodetriage/nodetriage/triage"
)

func writeReport(w io.Writer, out *outputFlags, r *triage.Report, s *evidence.Snapshot, k *knowledge, at time.Time) error {
	switch out.format {
	case "markdown":
		return report.Markdown(w, r)
	case "junit":
		return report.JUnit(w, r, nodemap.New(s, r, at))
	case "html":
		return report.HTML(w, report.Incident{Report: r, Snapshot: s, Catalog: k.catalog, Signatures: k.signatures, At: at, Version: version})
	case "json":
		return report.JSON(w, r)
	case "yaml":
		return report.YAML(w, r)
	case "", "wide":
		return report.Text(w, r, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

func writeMap(w io.Writer, out *outputFlags, m *nodemap.Map) error {
	switch out.format {
	case "html":
		return report.MapHTML(w, m, version)
	case "json":
		return report.JSON(w, m)
	case "yaml":
		return report.YAML(w, m)
	case "", "wide":
		return report.Map(w, m, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

func writeNode(w io.Writer, out *outputFlags, d *nodemap.Detail, s *evidence.Snapshot, k *knowledge) error {
	switch out.format {
	case "html":
		t := timeline.New(s, k.signatures, d.Node.Name)
		return report.NodeHTML(w, report.NodeIncident{Detail: d, Timeline: t, Catalog: k.catalog, Version: version})
	case "json":
		return report.JSON(w, d)
	case "yaml":
		return report.YAML(w, d)
	case "", "wide":
		return report.Node(w, d, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}
