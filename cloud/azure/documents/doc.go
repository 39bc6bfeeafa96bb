// Package documents reads what Azure Resource Manager answers and what az prints, and says it in our words.
package documents
