// Package cloud is what nodetriage wants to know of a cloud, in its own words. Each cloud has a package below it.
package cloud
