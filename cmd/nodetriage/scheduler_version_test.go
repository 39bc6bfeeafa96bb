package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The help of why names the version of the scheduler's code that is linked.
func TestSchedulerVersionInHelp(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	minor := regexp.MustCompile(`k8s\.io/kubernetes v(\d+\.\d+)`).FindSubmatch(mod)
	if minor == nil || !strings.Contains(whyHelp, "Kubernetes "+string(minor[1])+" scheduler") {
		t.Errorf("go.mod has k8s.io/kubernetes %s, and the help of why does not say so", minor)
	}
}
