//go:build unix

package azure_test

import "github.com/nodetriage/nodetriage/lab"

// build builds nodetriage in the folder.
func build(dir string) (string, error) { return lab.BuildOwn("../../cmd/nodetriage", dir) }
