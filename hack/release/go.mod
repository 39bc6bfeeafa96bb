module github.com/nodetriage/nodetriage/hack/release

go 1.26.0
