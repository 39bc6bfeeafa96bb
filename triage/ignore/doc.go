// Package ignore reads accepted findings: causes on subjects, each with its last day and the reason. They come from a file or from
// annotations of the objects. It is pure.
package ignore
