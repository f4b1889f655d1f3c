// What the processes report when the database is gone: their connections are cut, and new ones are refused.
import { randomBytes } from 'node:crypto'
import { waitUntil } from '@svc/local/wait-until'
import type { WrittenSpan } from '@svc/testing/stack/register-tracing'
import { treeOf } from '@svc/testing/stack/traced-stack'
import { beforeAll, expect, test } from 'vitest'
import { ask, gateway, growsBy, scrape, sumOf, tokens } from './metrics-scene.ts'
import { running } from './scene.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

beforeAll(async () => {
  const { sql } = running
  const [{ name } = {}] = await sql`select current_database() as name`
  await sql`alter database ${sql(name)} connection limit 0`
  await sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = ${name} and usename <> current_user`
})

test('without the database every span on the way says so, only by the tag', async () => {
  let spans: WrittenSpan[] = []
  // Connections end one by one. What was running on them has an unknown outcome.
  await waitUntil('credentials cannot be looked up', async () => {
    const trace_id = hex(16)
    const answer = await fetch(`${running.baseUrls[0]}/installs`, {
      headers: {
        authorization: `Bearer ${running.dev.api_token}`,
        traceparent: `00-${trace_id}-${hex(8)}-01`,
      },
    })
    spans = await running.trace(trace_id, 'GET /v1/installs')
    const statement = spans.find(({ name }) => name.includes('SELECT api_tokens'))
    return answer.status === 503 && statement?.attributes['error.type'] === 'Unavailable'
  })
  expect(treeOf(spans).slice(0, 5)).toEqual([
    'gateway SERVER GET /v1/installs',
    '  gateway wait credential_lookups',
    '    gateway batch credential_lookups',
    '      gateway CLIENT auth-tokens.resolve_credentials',
    '        auth-tokens SERVER auth-tokens.resolve_credentials',
  ])
  const failed = spans.filter(({ status }) => status.code === 2)
  expect(failed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'GET /v1/installs',
      'wait credential_lookups',
      'auth-tokens.resolve_credentials',
      'wait credential_reads',
      expect.stringContaining('SELECT api_tokens'),
    ]),
  )
  for (const { status, attributes, events } of failed) {
    expect({ status, type: attributes['error.type'] }).toEqual({ status: { code: 2 }, type: 'Unavailable' })
    expect(events.filter(({ name }) => name === 'exception')).toEqual([])
  }
})

test('without a database the answer is 503, and every process still tells what it knows', async () => {
  const labels = { kind: 'api_token', outcome: 'failed' }
  await growsBy(
    [
      [gateway, 'svc_http_requests_total', { operation: 'offers.list_installs', status: '503' }, 3],
      [gateway, 'svc_credential_lookups_total', labels, 3],
      [
        gateway,
        'svc_bus_calls_total',
        { operation: 'auth-tokens.resolve_credentials', outcome: 'failed' },
        3,
      ],
      [tokens, 'svc_operations_total', { operation: 'auth-tokens.resolve_credentials', status: '503' }, 3],
    ],
    async () => {
      for (let n = 0; n < 3; n++) expect(await ask('/installs')).toBe(503)
    },
  )
  expect(await sumOf(tokens, 'svc_database_statements_total', { outcome: 'unavailable' })).toBeGreaterThan(0)
  const idle = () => sumOf(tokens, 'svc_database_connections', { state: 'idle' })
  await waitUntil('no connection is left', async () => (await idle()) === 0)
  // Metrics that only the database can provide are missing, not 0.
  const exposed = await scrape(tokens)
  expect(exposed.get('svc_outbox_unread_seconds')?.series.size).toBe(0)
})
