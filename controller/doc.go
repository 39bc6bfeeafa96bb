// Package controller contains the parts of nodetriage-controller: the engine that judges a watched cluster, the objects that it makes
// of the judgement, and the publisher that writes them.
package controller
