/** deploy/observability as Prometheus reads it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asAsked, dashboard, observabilityFolder, rules } from '@svc/testing/deploy/observability'
import { promtool, runPromtool } from '@svc/testing/deploy/promtool'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'

const own = (file: string) => join(observabilityFolder, file)

describe.skipIf(!promtool)('promtool', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-promtool-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('accepts the rules', async () => {
    const { ok, output } = await runPromtool('check', 'rules', own('rules.yaml'))
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`)
    expect(ok).toBe(true)
  })

  test('confirms that each alert fires when it should, and only then', async () => {
    const { ok, output } = await runPromtool('test', 'rules', own('rules.test.yaml'))
    expect(output).toContain('SUCCESS')
    expect(ok).toBe(true)
  })

  test('detects a dashboard query that Prometheus would refuse', async () => {
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => asAsked(expr)))
    const check = async (exprs: readonly string[]) => {
      const file = join(folder, 'queries.yaml')
      const recorded = exprs.map((expr, n) => ({ record: `query:${n}`, expr }))
      await writeFile(file, stringify({ groups: [{ name: 'queries', rules: recorded }] }))
      return (await runPromtool('check', 'rules', file)).output
    }
    expect(await check(queries)).toContain(`SUCCESS: ${queries.length} rules found`)
    expect(await check(['rate(svc_bus_connected)'])).toContain('expected type range vector')
  })

  test('accepts the scrape configuration, except for what Debian builds without', async () => {
    // That build does not support kubernetes_sd_configs, so they are replaced by an address.
    const config = parse(await readFile(own('prometheus.yml'), 'utf8'))
    const roles = ['pod', 'pod', 'pod', 'node']
    expect(config.scrape_configs).toHaveLength(roles.length)
    for (const [n, job] of config.scrape_configs.entries()) {
      expect(job.kubernetes_sd_configs).toEqual([{ role: roles[n] }])
      delete job.kubernetes_sd_configs
      job.static_configs = [{ targets: ['127.0.0.1:9090'] }]
      // Where a pod finds it.
      if (job.authorization) job.authorization.credentials_file = own('prometheus.yml')
    }
    const file = join(folder, 'prometheus.yml')
    await writeFile(file, stringify({ ...config, rule_files: [own('rules.yaml')] }))
    const { ok, output } = await runPromtool('check', 'config', file)
    expect(output).toContain(`SUCCESS: ${file} is valid prometheus config`)
    expect(ok).toBe(true)
  })
})
