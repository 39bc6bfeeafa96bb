package main

import "testing"

func TestLicenceOf(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                    "Apache-2.0",
		"Permission is hereby granted, free of charge, to any":                            "MIT",
		"Permission to use, copy, modify, and distribute this software for any purpose":   "ISC",
		"Mozilla Public License Version 2.0 ... Secondary License: GNU General Public":    "MPL-2.0",
		"Redistribution and use in source and binary forms, with or without":              "BSD-2-Clause",
		"Redistribution and use in source and binary\nforms ... Neither the name of the":  "BSD-3-Clause",
		"                    GNU GENERAL PUBLIC LICENSE\n    Version 3":                   "",
		"GNU LESSER GENERAL PUBLIC LICENSE\nPermission is hereby granted, free of charge": "",
		"Business Source License 1.1":                                                     "",
		"All rights reserved.":                                                            "",
	} {
		got, err := licenceOf(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("licenceOf(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
}
