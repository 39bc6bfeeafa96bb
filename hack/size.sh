#!/bin/sh
# Fails if the program is larger than it may be. What makes one large is most often a look-up of methods by name, such as
# templates do: the linker then keeps every method of every type.
set -eu
program=${1:?usage: hack/size.sh PROGRAM BYTES}
most=${2:?usage: hack/size.sh PROGRAM BYTES}
size=$(wc -c < "$program")
[ "$size" -le "$most" ] && exit
echo "$program has $size bytes, more than $most. Who looks methods up by name is shown by" >&2
echo "  make build LDFLAGS='-s -w -dumpdep' 2>&1 | grep '<ReflectMethod>'" >&2
exit 1
