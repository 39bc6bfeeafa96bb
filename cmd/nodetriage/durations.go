package main

import (
	"time"

	"github.com/spf13/pflag"
)

// checkDurations returns an error if the value of a flag is a negative time.
func checkDurations(set *pflag.FlagSet) error {
	var err error
	set.Visit(func(f *pflag.Flag) {
		if f.Value.Type() != "duration" || err != nil {
			return
		}
		if d, parsed := time.ParseDuration(f.Value.String()); parsed == nil && d < 0 {
			err = hintf("use a duration such as 30m", "invalid value %q for --%s: the duration is negative", f.Value.String(), f.Name)
		}
	})
	return err
}
