module github.com/nodetriage/nodetriage

go 1.26
