/** What deploy/observability has, and the metrics that it may speak of. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { type MetricRow, metricsTable } from '@svc/telemetry/metrics-table'
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

/** The metrics of the product. */
export const metricNames = Object.keys(metricsTable)

const common = ['service', 'namespace', 'instance', 'job']

const ofBus = ['namespace', 'instance', 'job', 'server_id']
const ofDatabase = ['namespace', 'instance', 'job']
const ofServer = [...ofBus, 'server_name', 'cluster', 'domain', 'meta_leader', 'is_meta_leader']
const ofStream = [
  ...ofServer,
  'account',
  'stream_name',
  'stream_leader',
  'is_stream_leader',
  'stream_raft_group',
]
const ofTable = [...ofDatabase, 'datname', 'schemaname', 'relname']
const ofSlot = [...ofDatabase, 'slot_name', 'database']
const ofClaim = ['namespace', 'persistentvolumeclaim']

/**
 * Series of other programs that the rules use, with their labels, as the sources say: prometheus-nats-exporter 0.20.1
 * (collector/collector.go, jsz.go), postgres_exporter 0.20.1 (collector/pg_*.go), and the kubelet's.
 */
export const seriesOfOthers: Readonly<Record<string, readonly string[]>> = {
  gnatsd_varz_slow_consumers: ofBus,
  jetstream_server_total_message_bytes: ofServer,
  jetstream_server_max_storage: ofServer,
  jetstream_stream_total_bytes: ofStream,
  jetstream_stream_limit_bytes: ofStream,
  jetstream_stream_last_seq: ofStream,
  pg_up: ofDatabase,
  pg_settings_max_connections: ofDatabase,
  pg_stat_activity_count: [...ofDatabase, 'datname', 'state', 'usename', 'application_name', 'backend_type'],
  pg_stat_replication_pg_wal_lsn_diff: [
    ...ofDatabase,
    'application_name',
    'client_addr',
    'state',
    'slot_name',
  ],
  pg_replication_slots_pg_wal_lsn_diff: ofSlot,
  pg_replication_slots_active: ofSlot,
  pg_database_wraparound_age_datfrozenxid_seconds: [...ofDatabase, 'datname'],
  pg_stat_user_tables_n_dead_tup: ofTable,
  kubelet_volume_stats_available_bytes: ofClaim,
  kubelet_volume_stats_capacity_bytes: ofClaim,
}

/** The job of a series that is not ours by its name; undefined where any will do. */
export function jobOf(metric: string): RegExp | undefined {
  if (metric.includes('svc_') || metric.startsWith('kubelet_')) return undefined
  if (/^(gnatsd|jetstream)_/.test(metric)) return /^svc-nats$/
  if (metric.startsWith('pg_')) return /^svc-postgres$/
  return metric === 'up' ? /^svc$|^svc-nats\|svc-postgres$/ : /^svc$/
}

/** The labels of every series that Prometheus gets from a process, makes by itself or by a rule. */
export function labelsOfSeries(defaults: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const series = new Map<string, readonly string[]>()
  for (const [name, { type, labels: own }] of Object.entries<MetricRow>(metricsTable)) {
    const labels = [...common, ...own]
    // A histogram has no series of its own name.
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const ending of endings)
      series.set(`${name}${ending}`, ending === '_bucket' ? [...labels, 'le'] : labels)
  }
  for (const [name, labels] of Object.entries(seriesOfOthers)) series.set(name, labels)
  for (const { record } of rules) if (record) series.set(record, ['namespace', 'target'])
  for (const name of [...defaults, 'up']) series.set(name, common)
  return series
}
