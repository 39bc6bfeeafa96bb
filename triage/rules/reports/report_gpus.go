package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// gpuDrivers are the drivers that let programs use a GPU, by vendor. A GPU reserved for a virtual machine has vfio-pci.
var gpuDrivers = map[string]string{"nvidia": "nvidia", "amd": "amdgpu"}

// GPUs checks GPUs by kernel files: lost cards, missing drivers, drivers that differ from their library, a missing fabric manager.
var GPUs = &triage.Rule{
	ID:    "report-gpus",
	Doc:   "Reads the driver of each GPU, its version compared with the library's, GPUs that fell off the bus, and the fabric manager.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.GPUs != nil {
				gpuCheck{p, subject, r, r.GPUs}.judge()
			}
		})
	},
}

// gpuCheck judges the GPUs of one node.
type gpuCheck struct {
	p       *triage.Pass
	subject evidence.Subject
	report  *nodereport.Report
	gpus    *nodereport.GPUs
}

func (g gpuCheck) judge() {
	for _, c := range g.gpus.Cards {
		if c.Gone {
			g.found("gpu-hardware-failure", triage.Likely, c.Address, c.Ref, fmt.Sprintf("the GPU at %s has fallen off the bus", c.Address))
		}
	}
	g.judgeDrivers()
	g.judgeVersions()
	if g.gpus.Switches > 0 && g.gpus.Fabric == "missing" && g.driverVersion() != "" {
		g.found("gpu-fabric-not-ready", triage.Likely, "fabric", g.gpus.Ref, "the node has NVSwitches, but the fabric manager is not running")
	}
}

// judgeDrivers finds cards without a driver that lets programs use them.
func (g gpuCheck) judgeDrivers() {
	driven := slices.ContainsFunc(g.gpus.Cards, func(c nodereport.GPU) bool { return c.Driver == gpuDrivers[c.Vendor] })
	lacking := slices.DeleteFunc(slices.Clone(g.gpus.Cards), func(c nodereport.GPU) bool {
		return c.Gone || c.Driver != "" && c.Driver != "nouveau"
	})
	if len(lacking) == 0 {
		if driven {
			g.p.RuleOut("gpu-driver-missing", g.subject, "each GPU has a driver")
		}
		return
	}
	// A card that is not used as a GPU has no driver either: one of a workstation, or an onboard one.
	certainty := triage.Possible
	if driven || g.gpus.Library != "" || len(g.gpus.CDI) > 0 {
		certainty = triage.Likely
	}
	text := withoutDriver(lacking)
	if k := g.report.Kernel; k != nil && k.ModulesMissing {
		text += "; the modules of the running kernel are not installed"
	}
	g.found("gpu-driver-missing", certainty, lacking[0].Address, lacking[0].Ref, text)
}

// withoutDriver describes cards without a driver that supports compute.
func withoutDriver(cards []nodereport.GPU) string {
	var addresses []string
	for _, c := range cards {
		addresses = append(addresses, c.Address)
	}
	at := strings.Join(addresses, ", ")
	if driver := cards[0].Driver; driver != "" {
		return fmt.Sprintf("the GPU at %s is bound to %s, which does not support compute", at, driver)
	}
	return fmt.Sprintf("no driver is bound to the GPU at %s", at)
}

// judgeVersions compares NVIDIA's driver with its library.
func (g gpuCheck) judgeVersions() {
	switch driver, library := g.driverVersion(), g.gpus.Library; {
	case driver == "" || library == "":
	case driver != library:
		g.found("gpu-driver-mismatch", triage.Likely, "driver", "", fmt.Sprintf("the kernel driver has version %s, but the library has %s", driver, library))
	default:
		g.p.RuleOut("gpu-driver-mismatch", g.subject, "driver and library have version "+driver)
	}
}

// driverVersion returns the version of NVIDIA's driver, or "".
func (g gpuCheck) driverVersion() (version string) {
	for _, c := range g.gpus.Cards {
		if !c.Gone && c.Driver == "nvidia" {
			version = c.Version
		}
	}
	return version
}

func (g gpuCheck) found(says string, certainty triage.Certainty, key, line, summary string) {
	g.p.Found(triage.Claim{Says: says, Subject: g.subject, Certainty: certainty, Key: key, Summary: summary,
		Evidence: []evidence.Ref{facts.ReportRef(g.report, line, "GPU "+key, "%s", summary)}})
}
