/** What deploy/observability has, and the metrics that it may speak of. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { parse } from 'yaml'

export const observabilityFolder = join(repoRoot, 'deploy/observability')
const read = (file: string) => readFileSync(join(observabilityFolder, file), 'utf8')

export interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly for?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

interface AlertTest {
  readonly alertname: string
  readonly exp_alerts: readonly unknown[]
}

const { groups } = parse(read('rules.yaml')) as {
  groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
export const ruleGroups = groups
export const rules = groups.flatMap(group => group.rules)
export const alerts = rules.filter(rule => rule.alert !== undefined)

export const alertTests = (
  parse(read('rules.test.yaml')) as { tests: { alert_rule_test: AlertTest[] }[] }
).tests.flatMap(one => one.alert_rule_test)

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly {
    readonly refId: string
    readonly expr: string
    readonly legendFormat: string
    readonly datasource: { readonly uid: string }
  }[]
}

export const dashboard = JSON.parse(read('dashboard.json')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

/** The expression as Prometheus is asked, with what Grafana puts in. */
export const asAsked = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(\w+)/g, '$1')

const common = ['service', 'namespace', 'instance', 'job']
const own: Record<string, readonly string[]> = {
  svc_build_info: ['version', 'node'],
  svc_http_requests_total: ['operation', 'status'],
  svc_http_request_duration_seconds: ['operation'],
  svc_http_requests_in_flight: ['target'],
  svc_credential_lookups_total: ['kind', 'outcome'],
  svc_bus_calls_total: ['operation', 'outcome'],
  svc_bus_call_duration_seconds: ['operation'],
  svc_bus_calls_waiting: [],
  svc_operations_total: ['operation', 'status'],
  svc_operation_duration_seconds: ['operation'],
  svc_operations_in_flight: [],
  svc_shed_total: ['at'],
  svc_deadline_drops_total: ['at'],
  svc_batch_size: ['batch'],
  svc_queue_depth: ['queue'],
  svc_database_statements_total: ['outcome'],
  svc_database_statement_duration_seconds: [],
  svc_database_wait_seconds: [],
  svc_database_connections: ['state'],
  svc_database_pool_size: [],
  svc_bus_connected: [],
  svc_bus_disconnects_total: [],
  svc_outbox_published_total: [],
  svc_outbox_oldest_seconds: [],
  svc_password_checks_waiting: [],
  svc_stripe_requests_total: ['outcome'],
  svc_agent_reconciles_total: ['outcome'],
  svc_agent_last_success_seconds: [],
}
const histograms = [
  'svc_http_request_duration_seconds',
  'svc_bus_call_duration_seconds',
  'svc_operation_duration_seconds',
  'svc_batch_size',
  'svc_database_statement_duration_seconds',
  'svc_database_wait_seconds',
]

/** The metrics of the product. */
export const metricNames = Object.keys(own)

/** The labels of every series that Prometheus gets from a process, makes by itself or by a rule. */
export function labelsOfSeries(defaults: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const recorded = rules.flatMap(({ record }) => (record ? [[record, ['namespace', 'target']] as const] : []))
  const counted = histograms.flatMap(name => {
    const labels = [...common, ...(own[name] ?? [])]
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ] as const
  })
  const plain = Object.entries(own).map(([name, labels]) => [name, [...common, ...labels]] as const)
  // A histogram has no series of its own name.
  const series = new Map<string, readonly string[]>([...plain, ...counted, ...recorded])
  for (const name of histograms) series.delete(name)
  for (const name of [...defaults, 'up']) series.set(name, common)
  return series
}
