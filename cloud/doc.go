// Package cloud defines cloud-neutral types and interfaces. Each cloud has a package below it.
package cloud
