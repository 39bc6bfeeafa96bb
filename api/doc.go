// Package api contains the API types of nodetriage, one package per version.
package api
