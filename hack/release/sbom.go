package main

import (
	"crypto/sha1" //nolint:gosec // only to make an identifier
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// artefact is one program for one system.
type artefact struct {
	name, goos, goarch string
	version            string
	made               string // when its commit was made, RFC 3339: the same for every build of the commit
	sha256             string // hex, of the program
	modules            []module
}

func (a artefact) id() string { return fmt.Sprintf("%s_%s_%s_%s", a.name, a.version, a.goos, a.goarch) }

func purl(m module) string { return "pkg:golang/" + m.path + "@" + m.version }

type object = map[string]any

// cycloneDX returns the parts of a program in the format CycloneDX 1.6.
func cycloneDX(a artefact) ([]byte, error) {
	parts := []object{}
	for _, m := range a.modules {
		part := object{"type": "library", "bom-ref": purl(m), "name": m.path, "version": m.version, "purl": purl(m),
			"licenses": []object{{"expression": m.grant.licence}}}
		// A checksum of go.sum covers a list of files. CycloneDX has no such checksum, so it is a property.
		if m.sum != "" {
			part["properties"] = []object{{"name": "go:sum", "value": m.sum}}
		}
		parts = append(parts, part)
	}
	return indented(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": "urn:uuid:" + uuid(a.id()+a.sha256),
		"metadata": object{"timestamp": a.made, "component": object{
			"type": "application", "bom-ref": a.id(), "name": a.name, "version": a.version,
			"hashes":   []object{{"alg": "SHA-256", "content": a.sha256}},
			"licenses": []object{{"expression": "Apache-2.0"}},
		}},
		"components": parts,
	})
}

// spdx returns the parts of a program in the format SPDX 2.3.
func spdx(a artefact) ([]byte, error) {
	const unasserted = "NOASSERTION"
	packages := []object{{
		"SPDXID": "SPDXRef-program", "name": a.name, "versionInfo": a.version, "downloadLocation": unasserted, "filesAnalyzed": false,
		"licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": unasserted,
		"checksums": []object{{"algorithm": "SHA256", "checksumValue": a.sha256}},
	}}
	relations := []object{{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-program"}}
	for i, m := range a.modules {
		ref := fmt.Sprintf("SPDXRef-module-%d", i+1)
		packages = append(packages, object{
			"SPDXID": ref, "name": m.path, "versionInfo": m.version, "downloadLocation": unasserted, "filesAnalyzed": false,
			"licenseConcluded": m.grant.licence, "licenseDeclared": m.grant.licence, "copyrightText": unasserted,
			"externalRefs": []object{{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl(m)}},
		})
		relations = append(relations, object{"spdxElementId": "SPDXRef-program", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": ref})
	}
	return indented(object{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": a.id(),
		"documentNamespace": "https://github.com/nodetriage/nodetriage/spdx/" + a.id() + "-" + uuid(a.id()+a.sha256),
		"creationInfo":      object{"created": a.made, "creators": []string{"Organization: nodetriage"}},
		"packages":          packages, "relationships": relations,
	})
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

// uuid returns a version 5 UUID of a text, so that the same build has the same UUID.
func uuid(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // an identifier
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x50, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}
