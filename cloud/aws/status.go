package aws

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// status is an instance in describe-instance-status.
type status struct {
	InstanceID       string  `json:"InstanceId"`
	AvailabilityZone string  `json:"AvailabilityZone"`
	InstanceState    state   `json:"InstanceState"`
	SystemStatus     checks  `json:"SystemStatus"`   // of the host
	InstanceStatus   checks  `json:"InstanceStatus"` // of the machine
	Events           []event `json:"Events"`
}

// checks is the summary of one kind of checks: ok, impaired, insufficient-data, initializing, not-applicable.
type checks struct {
	Status  string `json:"Status"`
	Details []struct {
		ImpairedSince time.Time `json:"ImpairedSince"`
	} `json:"Details"`
}

// since returns when the first of the checks failed; zero: unknown.
func (c *checks) since() (first time.Time) {
	for _, d := range c.Details {
		if at := d.ImpairedSince.UTC(); !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// event is a scheduled event of the machine: instance-reboot, system-reboot, system-maintenance, instance-retirement,
// instance-stop.
type event struct {
	Code        string    `json:"Code"`
	Description string    `json:"Description"` // starts with [Completed] or [Canceled] for a week after its end
	NotBefore   time.Time `json:"NotBefore"`
}

func (e *event) over() bool {
	return strings.HasPrefix(e.Description, "[Completed]") || strings.HasPrefix(e.Description, "[Canceled]")
}

func (s *status) machine(ref evidence.Ref) *evidence.CloudMachine {
	m := &evidence.CloudMachine{
		CloudItem: item(s.AvailabilityZone, s.InstanceID, s.InstanceState, ref), Inside: "operating system", AnswerAt: "InstanceStatus",
		Answer: wording.Cut(s.InstanceStatus.Status, maxName),
	}
	switch s.InstanceStatus.Status {
	case "ok":
		m.Answers = evidence.True
	case "impaired":
		m.Answers = evidence.False
	}
	return m
}

// health returns the health of the host; nil if EC2 reports none.
func (s *status) health(ref evidence.Ref) *evidence.CloudHealth {
	of := item(s.AvailabilityZone, s.InstanceID, s.InstanceState, ref)
	h := &evidence.CloudHealth{CloudItem: of, On: strings.ToLower(of.ID), ByPlatform: true, Word: wording.Cut(s.SystemStatus.Status, maxName)}
	for _, e := range s.Events {
		if e.over() {
			continue
		}
		h.Word, h.Available, h.Since = "scheduled for "+wording.Cut(e.Code, maxName), evidence.AvailableOther, e.NotBefore.UTC()
		h.Cause, h.Summary = wording.Cut(e.Code, maxName), wording.Cut(e.Description, maxEvidence)
		break
	}
	switch s.SystemStatus.Status {
	case "ok":
		if h.Available == evidence.AvailableUnknown {
			h.Available = evidence.Available
		}
	case "impaired": // current, regardless of scheduled events
		h.Word, h.Available, h.Since = "impaired", evidence.Degraded, s.SystemStatus.since()
	case "":
		if h.Available == evidence.AvailableUnknown {
			return nil
		}
	}
	return h
}
