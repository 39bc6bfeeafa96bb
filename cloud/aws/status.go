package aws

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// status is one of describe-instance-status.
type status struct {
	InstanceID       string  `json:"InstanceId"`
	AvailabilityZone string  `json:"AvailabilityZone"`
	InstanceState    state   `json:"InstanceState"`
	SystemStatus     checks  `json:"SystemStatus"`   // of what is below the machine
	InstanceStatus   checks  `json:"InstanceStatus"` // of the machine itself
	Events           []event `json:"Events"`
}

// checks are those of one kind, together: ok, impaired, insufficient-data, initializing, not-applicable.
type checks struct {
	Status  string `json:"Status"`
	Details []struct {
		ImpairedSince time.Time `json:"ImpairedSince"`
	} `json:"Details"`
}

// since is when the first of the checks failed; zero: not told.
func (c *checks) since() (first time.Time) {
	for _, d := range c.Details {
		if at := d.ImpairedSince.UTC(); !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// event is what EC2 will do to the machine: instance-reboot, system-reboot, system-maintenance, instance-retirement,
// instance-stop.
type event struct {
	Code        string    `json:"Code"`
	Description string    `json:"Description"` // begins with [Completed] or [Canceled] for a week after its end
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

// health is what EC2 says of the platform below the machine; nil if it says nothing.
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
	case "impaired": // that is now, whatever is announced
		h.Word, h.Available, h.Since = "impaired", evidence.Degraded, s.SystemStatus.since()
	case "":
		if h.Available == evidence.AvailableUnknown {
			return nil
		}
	}
	return h
}
