// Prints rules.yaml as the object that the Prometheus operator reads:
//
//   node deploy/observability/make-prometheus-rule.mjs | kubectl -n svc apply -f -
import { readFileSync } from 'node:fs'

const rules = readFileSync(new URL('rules.yaml', import.meta.url), 'utf8')
const indented = rules.replaceAll(/^(?=.)/gm, '  ')
process.stdout.write(`apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: svc
  labels: { app.kubernetes.io/part-of: svc }
spec:
${indented}`)
