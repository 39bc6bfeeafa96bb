// Package documents reads what Azure Resource Manager answers and what az prints, and says it in our words.
//
// recognise.go tells which resource a document is, values.go takes its fields, and evidence.go makes evidence of them; what a kind of
// resource needs more of is in a file of its name (pool.go, subnet.go, security.go, window.go). What az prints as text becomes
// documents first: lines.go, table.go, tabs.go; query.go puts back what --query left, and answer.go what the command before it
// tells. errors.go reads errors inside of errors.
package documents
