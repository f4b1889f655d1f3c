/** deploy/observability and docs/running/runbook.md refer only to what exists. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { memoryLimit } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import {
  alerts,
  alertTests,
  asAsked,
  dashboard,
  jobOf,
  labelsOfSeries,
  metricNames,
  observabilityFolder,
  rules,
  seriesOfOthers,
} from '@svc/testing/deploy/observability'
import { readPromql } from '@svc/testing/deploy/promql'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { services } from '../../libs/contract/src/services.ts'

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
const runbook = read('docs/running/runbook.md')

/** prom-client belongs to libs/telemetry. */
const require = createRequire(join(repoRoot, 'libs/telemetry/package.json'))
const { collectDefaultMetrics, Registry } = require('prom-client') as typeof import('prom-client')
const register = new Registry()
collectDefaultMetrics({ register })
const defaults = (await register.getMetricsAsJSON()).flatMap(({ name, type }) =>
  String(type) === 'histogram' ? [`${name}_sum`, `${name}_count`] : [name],
)
const known = labelsOfSeries(defaults)

const inTheRunbook = [...runbook.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
  /\b(svc_\w|up\{|pg_\w+\{|(nodejs|process|gnatsd|jetstream|kubelet)_\w)/.test(code) ? [code] : [],
)
/** A metric alone is not a query: it may be a histogram, and has no labels yet. */
const isName = (code: string) => /^\w+$/.test(code)
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const expressions = [
  ...rules.map(({ alert, record, expr }) => [alert ?? record ?? '', expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, asAsked(expr)] as const)),
  ...inTheRunbook.filter(code => !isName(code)).map(expr => [`runbook: ${expr}`, expr] as const),
]

describe.each(expressions)('%s', (_name, expr) => {
  const { faults, series, grouping, added } = readPromql(expr)

  test('is PromQL', () => {
    expect(faults).toEqual([])
    expect(series).not.toEqual([])
  })

  test('refers to existing series and labels', () => {
    for (const { metric, matchers } of series) {
      expect([...known.keys()]).toContain(metric)
      for (const { label } of matchers) expect([...(known.get(metric) ?? [])], metric).toContain(label)
      // Other programs have metrics with these names, too.
      const job = jobOf(metric)
      if (job) expect(matchers).toContainEqual({ label: 'job', value: expect.stringMatching(job) })
    }
    const labels = [...series.flatMap(({ metric }) => known.get(metric) ?? []), ...added]
    expect(labels).toEqual(expect.arrayContaining([...grouping]))
  })

  test('refers to existing bucket bounds, operations and services', () => {
    for (const { label, value } of series.flatMap(({ matchers }) => matchers)) {
      // Prometheus 3 and later write whole numbers differently.
      if (label === 'le') expect(['0.005', '0.05', '0.1', '0.25', '0.5']).toContain(value)
      const [, service = '', names = ''] = /^([a-z-]+)\[\.\]\((.*)\)$/.exec(value) ?? []
      if (label === 'operation' && service) {
        const operations = Object.keys(services[service as keyof typeof services].operations)
        expect(operations).toEqual(expect.arrayContaining(names.split('|')))
      }
    }
  })
})

describe.each(alerts.map(alert => [alert.alert ?? '', alert] as const))('the alert %s', (name, alert) => {
  test('says how urgent it is, what is wrong, and where to read on', () => {
    expect(alert.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) })
    expect(alert.annotations).toEqual({
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\$(value|labels)/),
      runbook_url: `docs/running/runbook.md#${name.toLowerCase()}`,
    })
    // An alert that lasts as long as its window needs no `for`.
    if (!alert.for) expect(alert.expr).toContain('[15m]')
  })

  test('is tested to fire and to stay silent in rules.test.yaml', () => {
    const seen = alertTests.filter(({ alertname }) => alertname === name)
    expect(seen.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true)
    expect(seen.filter(({ exp_alerts }) => exp_alerts.length === 0).length).toBeGreaterThan(1)
  })

  test('has a section in the runbook: what it means, where to look, what to do', () => {
    const section = runbook.split(/^## /m).find(text => text.startsWith(`${name}\n`))
    expect(section?.match(/^\*\*(\w+)\.\*\*/gm)).toEqual(['**Means.**', '**Look.**', '**Do.**'])
  })
})

test('the runbook has exactly the alerts, in the same order', () => {
  const sections = [...runbook.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(sections).toEqual(alerts.map(({ alert }) => alert))
  for (const [, name] of runbook.matchAll(/\b(Svc[A-Z]\w+)/g)) expect(sections).toContain(name)
})

test('metrics that the runbook names exist', () => {
  const named = inTheRunbook.filter(isName)
  expect(named.length).toBeGreaterThan(10)
  expect([...metricNames, ...defaults, ...Object.keys(seriesOfOthers)]).toEqual(expect.arrayContaining(named))
})

test('policies that the runbook names exist', () => {
  const folder = join(repoRoot, 'deploy/kubernetes')
  const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.yaml'))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const policies = [...manifests.matchAll(/kind: NetworkPolicy\nmetadata:\n {2}name: ([a-z-]+)\n/g)].map(
    ([, name]) => name,
  )
  const named = [...runbook.matchAll(/NetworkPolicy\s+`([a-z-]+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(policies).toEqual(expect.arrayContaining(named))
})

test('the bound on memory is of the limit of each pod', () => {
  const { expr } = alerts.find(({ alert }) => alert === 'SvcMemoryHigh') ?? {}
  expect(expr).toBe(
    `process_resident_memory_bytes{job="svc"} > 0.85 * ${Number.parseInt(memoryLimit, 10)} * 1024 * 1024`,
  )
  const given = ['base/gateway.yaml', 'base/services.yaml', 'components/compute-agent/compute-agent.yaml']
    .flatMap(file => parseAllDocuments(read(`deploy/kubernetes/${file}`)).map(one => one.toJS()))
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.spec.containers[0].resources.limits.memory)
  expect(given.length).toBeGreaterThan(4)
  expect(new Set(given)).toEqual(new Set([memoryLimit]))
})

describe('the dashboard', () => {
  const source = `\${${dashboard.templating.list[0]?.name}}`

  test('every panel has its own number and position', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`), title).toBe(false)
          taken.add(`${x},${y}`)
        }
      }
    }
  })

  test('its variables are defined, and all of them used', () => {
    const defined = dashboard.templating.list.map(({ name }) => name)
    const used = JSON.stringify(dashboard).matchAll(/\$\{?([a-z]\w*)/g)
    expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual([...defined].sort())
    for (const { definition } of dashboard.templating.list) {
      const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition ?? '') ?? []
      if (!definition) continue
      const [one] = readPromql(asAsked(selector)).series
      expect(known.get(one?.metric ?? ''), definition).toContain(label)
    }
  })

  test.each(panels.map(panel => [panel.title, panel] as const))(
    '%s is drawn from its source',
    (_title, panel) => {
      expect(panel.datasource?.uid).toBe(source)
      const targets = panel.targets ?? []
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      expect(targets.length).toBeGreaterThan(0)
      for (const { expr, legendFormat, datasource } of targets) {
        expect(datasource.uid).toBe(source)
        const { series, grouping, added } = readPromql(asAsked(expr))
        const own = series.flatMap(({ metric }) => known.get(metric) ?? [])
        const labels = grouping.length > 0 ? [...grouping, ...added] : own
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels).toContain(label)
      }
    },
  )

  test('shows every metric', () => {
    const shown = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => readPromql(asAsked(expr)).series.map(({ metric }) => metric)),
    )
    const recorded = rules.filter(({ record }) => shown.includes(record ?? '')).map(({ expr }) => expr)
    const missing = metricNames.filter(name => ![...shown, ...recorded].join().includes(name))
    expect(missing).toEqual([])
  })
})

test('Prometheus reads the rules from where docs/running/kubernetes.md mounts the ConfigMap', () => {
  const [, snippet = ''] = /```yaml\n( +containers:[^`]*)```/.exec(read('docs/running/kubernetes.md')) ?? []
  const { containers, volumes } = parse(snippet)
  const [volume] = volumes
  expect(containers[0].volumeMounts[0].name).toBe(volume.name)
  const { configMapGenerator } = parse(read('deploy/observability/kustomization.yaml'))
  const made = configMapGenerator.find(({ name }: { name: string }) => name === volume.configMap.name)
  const files = made.files.map((file: string) => file.split('='))
  expect(files.map(([, source]: string[]) => source)).toEqual(['rules.yaml'])
  expect(parse(read('deploy/observability/prometheus.yml')).rule_files).toEqual(
    files.map(([key]: string[]) => `${containers[0].volumeMounts[0].mountPath}/${key}`),
  )
})

test('the object for the Prometheus operator has the same rules', () => {
  const script = join(observabilityFolder, 'make-prometheus-rule.mjs')
  const object = parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }))
  expect(object).toEqual({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'svc', labels: { 'app.kubernetes.io/part-of': 'svc' } },
    spec: parse(readFileSync(join(observabilityFolder, 'rules.yaml'), 'utf8')),
  })
})
