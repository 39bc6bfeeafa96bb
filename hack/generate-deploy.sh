#!/bin/sh
# Renders the manifests in deploy from the chart, which is their source. With -check it fails if they are not up to date.
set -eu
cd "$(dirname "$0")/.."
helm=helm.sh/helm/v4/cmd/helm@v4.3.1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# render FILE TEMPLATES [ARGUMENTS] renders templates without the labels of Helm.
render() {
  file=$1 templates=$2
  shift 2
  shown=
  for t in $templates; do shown="$shown --show-only templates/$t.yaml"; done
  # shellcheck disable=SC2086
  GOFLAGS=-trimpath ${GO:-go} run "$helm" template nodetriage charts/nodetriage -n nodetriage $shown \
    --set agent.image.repository=nodetriage-agent,agent.image.tag=latest,controller.image.repository=nodetriage-controller,controller.image.tag=latest \
    --set check.image.repository=nodetriage,check.image.tag=latest,crds.keep=false "$@" |
    awk '
      /^# Source: / || /^ +(app\.kubernetes\.io\/(name|instance|version|managed-by)|helm\.sh\/chart): / { next }
      /^ *imagePullPolicy: IfNotPresent$/ || /^ *$/ { next }
      held != "" { match(held, /^ */); own = RLENGTH; match($0, /^ */); if (RLENGTH > own) print held; held = "" }
      /^ *labels:$/ { held = $0; next }
      /^---$/ { if (begun) separator = 1; next }
      { if (separator) print "---"; separator = 0; begun = 1; print }
    ' >>"$out/$file"
}

for option in ask-kubelets node-condition veto upgrade-gate upgrade-gate-alerts check monitoring metrics-reader; do mkdir -p "$out/options/$option"; done
cat >"$out/agent.yaml" <<END
# The agent on every node: it keeps a fresh report in /var/log/nodetriage and serves it on the node's loopback.
# make release makes its image (docs/install.md). It needs no service account: it never talks to the API server as anybody but the kubelet,
# once per look, to see whether that works. SECURITY.md lists capabilities that it can have in addition.
apiVersion: v1
kind: Namespace
metadata:
  name: nodetriage
  labels:
    pod-security.kubernetes.io/enforce: privileged # it reads the root of the node
---
END
render agent.yaml agent
cat >"$out/controller.yaml" <<END
# The controller, without its CustomResourceDefinition (crds) and its namespace: kubectl apply -k deploy installs all of them.
END
render controller.yaml "controller-roles controller"
cat >"$out/drain.yaml" <<END
# What nodetriage drain needs, exactly: the reader's role, and the drainer's for what it changes. Bind both to who
# drains: kubectl create clusterrolebinding NAME --clusterrole=nodetriage-drainer --user=USER, and the reader alike.
END
render drain.yaml roles --set roles.reader.create=true,roles.drainer.create=true
render options/ask-kubelets/role.yaml controller-kubelets --set controller.askKubelets=true
render options/node-condition/role.yaml controller-node-condition --set controller.nodeCondition=true
render options/veto/role.yaml controller-veto --set veto.enabled=true
render options/upgrade-gate/role.yaml controller-upgrade-gate --set upgradeGate.enabled=true
render options/check/check.yaml check --set check.enabled=true
render options/monitoring/monitoring.yaml monitoring --set serviceMonitor.enabled=true,prometheusRule.enabled=true
render options/upgrade-gate-alerts/alerts.yaml monitoring-upgrade-gate --set upgradeGate.enabled=true,prometheusRule.enabled=true
render options/metrics-reader/role.yaml metrics-reader --set roles.metricsReader.create=true

status=0
for file in $(cd "$out" && find . -name '*.yaml' | sort); do
  if [ "${1:-}" != -check ]; then
    cp "$out/$file" "deploy/$file"
  elif ! cmp -s "$out/$file" "deploy/$file"; then
    echo "deploy/${file#./} is not what the chart renders: run make generate" >&2
    status=1
  fi
done
exit "$status"
