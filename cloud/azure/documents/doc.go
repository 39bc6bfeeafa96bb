// Package documents decodes answers of Azure Resource Manager and the output of az into evidence.
//
// recognise.go detects the type of a document, values.go reads its fields, and evidence.go converts them. Types with
// more logic have a file (pool.go, subnet.go, security.go, window.go). Text output of az is converted to documents
// first: lines.go, table.go, tabs.go; query.go reverts --query, and answer.go adds facts from the command. errors.go
// unwraps nested errors.
package documents
