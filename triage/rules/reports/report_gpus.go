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
				judgeGPUs(p, subject, r, r.GPUs)
			}
		})
	},
}

func judgeGPUs(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, g *nodereport.GPUs) {
	claim := func(says string, c triage.Certainty, key, line, summary string) {
		p.Found(triage.Claim{Says: says, Subject: subject, Certainty: c, Key: key, Summary: summary,
			Evidence: []evidence.Ref{facts.ReportRef(r, line, "GPU "+key, "%s", summary)}})
	}
	driven := slices.ContainsFunc(g.Cards, func(c nodereport.GPU) bool { return c.Driver == gpuDrivers[c.Vendor] })
	var lacking []nodereport.GPU
	version := ""
	for _, c := range g.Cards {
		switch {
		case c.Gone:
			claim("gpu-hardware-failure", triage.Likely, c.Address, c.Ref, fmt.Sprintf("the GPU at %s has fallen off the bus", c.Address))
		case c.Driver == "" || c.Driver == "nouveau":
			lacking = append(lacking, c)
		case c.Driver == "nvidia":
			version = c.Version
		}
	}
	if len(lacking) > 0 {
		// A card that is not used as a GPU has no driver either: one of a workstation, or an onboard one.
		certainty, first := triage.Possible, lacking[0]
		if driven || g.Library != "" || len(g.CDI) > 0 {
			certainty = triage.Likely
		}
		var addresses []string
		for _, c := range lacking {
			addresses = append(addresses, c.Address)
		}
		text := fmt.Sprintf("no driver is bound to the GPU at %s", strings.Join(addresses, ", "))
		if first.Driver != "" {
			text = fmt.Sprintf("the GPU at %[2]s is bound to %[1]s, which does not support compute", first.Driver, strings.Join(addresses, ", "))
		}
		if r.Kernel != nil && r.Kernel.ModulesMissing {
			text += "; the modules of the running kernel are not installed"
		}
		claim("gpu-driver-missing", certainty, first.Address, first.Ref, text)
	} else if driven {
		p.RuleOut("gpu-driver-missing", subject, "each GPU has a driver")
	}
	switch {
	case version == "" || g.Library == "":
	case version != g.Library:
		claim("gpu-driver-mismatch", triage.Likely, "driver", "", fmt.Sprintf("the kernel driver has version %s, but the library has %s", version, g.Library))
	default:
		p.RuleOut("gpu-driver-mismatch", subject, "driver and library have version "+version)
	}
	if g.Switches > 0 && g.Fabric == "missing" && version != "" {
		claim("gpu-fabric-not-ready", triage.Likely, "fabric", g.Ref, "the node has NVSwitches, but the fabric manager is not running")
	}
}
