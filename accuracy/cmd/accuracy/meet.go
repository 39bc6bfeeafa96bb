package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/accuracy"
)

func (o options) meetIncidents() error {
	e, err := accuracy.NewEngine()
	if err != nil {
		return err
	}
	contacts, err := accuracy.MeetIncidents(e, o.incidents)
	if err != nil {
		return err
	}
	r := accuracy.Totals(contacts)
	for _, c := range contacts {
		if !c.Right || len(c.Truth.Decisive) > 0 && !c.Shown {
			fmt.Printf("%-44s want %-28s first %s %s%s\n", c.Name, c.Truth.Class, c.First, c.Certainty, hidden(c))
		}
	}
	fmt.Printf("\n%d incidents\n", r.Incidents)
	for _, line := range []struct {
		what  string
		n, of int
	}{
		{"first right", r.Right, r.Incidents}, {"of the solid ones", r.SolidTrue, r.Solid}, {"decisive line shown", r.Shown, r.Decisive},
		{"wrong", r.Wrong, r.Incidents}, {"wrong and certain", r.Certain, r.Incidents}, {"silent", r.Silent, r.Incidents},
	} {
		fmt.Printf("  %-20s %4d of %4d  %s\n", line.what, line.n, line.of, percent(line.n, line.of))
	}
	if err := o.list("incidents.tsv", accuracy.ContactsTSV(contacts)); err != nil || o.record == "" {
		return err
	}
	return o.writeFigures(func(f *accuracy.Figures) error {
		r.Date, r.What = today(), o.record
		f.Rounds = append(f.Rounds, r)
		return nil
	})
}

func hidden(c accuracy.Contact) string {
	if len(c.Truth.Decisive) > 0 && !c.Shown {
		return ", the decisive line is not shown"
	}
	return ""
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

func (o options) meetForeign() error {
	e, err := accuracy.NewEngine()
	if err != nil {
		return err
	}
	f, err := accuracy.MeetForeign(e, o.foreign)
	if err != nil {
		return err
	}
	by := accuracy.BySignature(f.Alarms)
	r := f.Round()
	fmt.Printf("%d files, %d MB; %d findings certain, %d likely, %d possible, in %d files; raised by %d signatures or rules\n\n",
		r.Files, r.Megabytes, r.Certain, r.Likely, f.Possible, r.Raised, r.By)
	fmt.Println("certain likely  raised by, and an example")
	for _, s := range by {
		fmt.Printf("%7d %6d  %s says %s\n                %s: %s\n", s.Certain, s.Likely, s.By, s.Cause, s.Example.File, s.Example.Text)
	}
	if err := o.list("alarms.tsv", accuracy.AlarmsTSV(f.Alarms)); err != nil || o.record == "" {
		return err
	}
	return o.writeFigures(func(all *accuracy.Figures) error {
		r.Date, r.What = today(), o.record
		all.Foreign = append(all.Foreign, r)
		return nil
	})
}

// list writes a list where it was asked for.
func (o options) list(name, text string) error {
	if o.lists == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(o.lists, name), []byte(text), 0o644)
}
