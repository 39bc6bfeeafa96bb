package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/wording"
)

// Result files of the programs that bootstrap a node.
const (
	cloudInitResult = "/run/cloud-init/result.json"
	cloudInitStatus = "/run/cloud-init/status.json"
	ignitionResult  = "/etc/.ignition-result.json"
	aksProvision    = "/var/log/azure/aks/provision.json"
)

// bootstrap reads the results of the bootstrap programs (cloud-init, Ignition, the script of the provider) and their
// last error. No result is no gap because a machine may be set up by hand.
func bootstrap(_ context.Context, h *Host, r *nodereport.Report) error {
	var errs []error
	for _, p := range []struct {
		file string
		read func(*Host, []byte) (*nodereport.Bootstrap, error)
	}{{cloudInitStatus, cloudInit}, {ignitionResult, ignition}, {aksProvision, aksScript}} {
		data, err := h.read(p.file, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var b *nodereport.Bootstrap
		if err == nil {
			b, err = p.read(h, data)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("read %s: %w", p.file, err))
			continue
		}
		b.Error = redact.New(false).Text(wording.Cut(strings.Join(strings.Fields(b.Error), " "), 500))
		b.Ref = strings.Join(strings.Fields(fmt.Sprintf("%s: %s %s %s", p.file, b.Result, b.Code, wording.Cut(b.Error, 200))), " ")
		r.Bootstrap = append(r.Bootstrap, *b)
	}
	return errors.Join(errs...)
}

// cloudInit reads the stages of cloud-init (cloud-init doc/rtd/explanation/return_codes.rst, cloudinit/cmd/main.py).
func cloudInit(h *Host, data []byte) (*nodereport.Bootstrap, error) {
	var status struct {
		V1 map[string]json.RawMessage `json:"v1"`
	}
	if err := json.Unmarshal(data, &status); err != nil {
		return nil, err
	}
	b := &nodereport.Bootstrap{Program: "cloud-init", Result: "running"}
	var failed []string
	for _, name := range []string{"init-local", "init", "modules-config", "modules-final"} {
		var stage struct {
			Errors   []string `json:"errors"`
			Finished float64  `json:"finished"`
		}
		if json.Unmarshal(status.V1[name], &stage) != nil {
			continue
		}
		for _, e := range stage.Errors {
			failed = append(failed, name+": "+e)
		}
		if stage.Finished > 0 && stage.Finished < 1<<40 {
			b.At = time.Unix(int64(stage.Finished), 0).UTC()
		}
	}
	if h.first([]string{cloudInitResult}) != "" {
		b.Result = "ok"
	}
	if len(failed) > 0 {
		b.Result, b.Error = "failed", strings.Join(failed, "; ")
	}
	return b, nil
}

// ignition reads the result of a successful run. A machine on which Ignition fails does not boot.
func ignition(_ *Host, data []byte) (*nodereport.Bootstrap, error) {
	var result struct {
		Date time.Time `json:"provisioningDate"`
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, err
	}
	return &nodereport.Bootstrap{Program: "ignition", Result: "ok", At: result.Date.UTC()}, nil
}

// aksScript reads the result of the AKS bootstrap script (Azure/AgentBaker
// parts/linux/cloud-init/artifacts/cse_start.sh).
func aksScript(_ *Host, data []byte) (*nodereport.Bootstrap, error) {
	var result struct {
		ExitCode string `json:"ExitCode"`
		Output   string `json:"Output"`
		Error    string `json:"Error"`
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, err
	}
	b := &nodereport.Bootstrap{Program: "aks-provision", Result: "ok", Code: wording.Cut(result.ExitCode, 10)}
	if b.Code != "0" {
		b.Result, b.Error = "failed", result.Error
		if strings.TrimSpace(b.Error) == "" {
			b.Error = last(result.Output, 400)
		}
	}
	return b, nil
}

// last returns the end of a text, at most size bytes.
func last(text string, size int) string {
	if len(text) > size {
		text = text[len(text)-size:]
	}
	return strings.ToValidUTF8(strings.TrimSpace(text), "")
}
