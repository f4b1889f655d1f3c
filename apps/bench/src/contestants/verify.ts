/** What every variant must do before it is measured. A peer that leaves work out would not be comparable. */
import { createApiToken } from '@svc/runtime/credential'
import type postgres from 'postgres'
import { createsOffer, type Kind, kindsOf, requestForm, type Seed, workloadNames } from '../load/workloads.ts'

export interface Verifiable {
  readonly urls: readonly string[]
  readonly seed: Seed
  readonly sql: postgres.Sql
}

/** @throws Error that names everything that the variant does differently */
export async function verify({ urls, seed, sql }: Verifiable): Promise<void> {
  const problems: string[] = []
  const expect = (what: string, held: boolean, answer?: Answer) => {
    if (!held)
      problems.push(answer ? `${what} (answered ${answer.status} ${answer.text.slice(0, 200)})` : what)
  }
  const send = createSend(urls[0] ?? '', seed)

  for (const kind of new Set(workloadNames.flatMap(kindsOf).filter(createsOffer))) {
    const form = requestForm(kind, seed)
    const key = form.key ? freshKey() : undefined
    const first = await send(form, { key })
    expect(`${kind}: 201 with id and short_hash`, isCreated(first), first)
    const [row] = await sql<{ package_version_id: string }[]>`
      select package_version_id from offers.offers where id = ${String(first.json.id)}`
    expect(
      `${kind}: the offer is in the table, on its version`,
      row?.package_version_id === seed.package_version_id,
    )
    for (const [whose, token] of [
      ['no token', undefined],
      ['an unknown token', createApiToken()],
    ] as const) {
      const refused = await send(form, { key: freshKey(), token })
      expect(`${kind}: 401 for ${whose}`, refused.status === 401, refused)
    }
    for (const [what, change, status] of [
      ['an unknown property', { surprise: true }, 400],
      ['a text of 501 characters', { notes: 'x'.repeat(501) }, 400],
      ['a wrong type', { max_uses: 'five' }, 400],
      ['a property too many further down', { customer: { display_name: 'x', surprise: 1 } }, 400],
      ['an unknown reference', unknownReference(kind), 422],
      ['an unknown field', { field_values: { surprise: { value: 1, locked: false } } }, 422],
      ['a value that the schema refuses', { field_values: { seats: { value: 0, locked: false } } }, 422],
    ] as const) {
      const refused = await send(changed(form, change), { key: form.key ? freshKey() : undefined })
      expect(`${kind}: ${status} for ${what}`, refused.status === status, refused)
    }
    if (key === undefined) continue
    const replay = await send(form, { key })
    const same = isCreated(replay) && replay.json.id === first.json.id
    expect(`${kind}: a replay has the same id`, same, replay)
    expect(`${kind}: a replay says so`, replay.headers.get('idempotent-replayed') === 'true', replay)
    const reused = await send(changed(form, { max_uses: 6 }), { key })
    expect(`${kind}: 409 for a key with another body`, reused.status === 409, reused)

    const sharedKey = freshKey()
    const all = await Promise.all(Array.from({ length: 16 }, () => send(form, { key: sharedKey })))
    const ids = new Set(all.map(({ json }) => json.id))
    expect(
      `${kind}: one offer for a key sent 16 times at once`,
      ids.size === 1 && all.every(isCreated),
      all[0],
    )
  }

  for (const [kind, table] of [
    ['tokens', 'auth_tokens.api_tokens'],
    ['installs', 'offers.installs'],
  ] as const) {
    const list = await send(requestForm(kind, seed))
    const newest = await sql<{ id: string }[]>`
      select id from ${sql(table)} where workspace_id = ${seed.workspace_id} order by id desc limit 25`
    const listed = (list.json.data as { id: string }[] | undefined)?.map(({ id }) => id)
    expect(`${kind}: the 25 newest`, String(listed) === String(newest.map(({ id }) => id)), list)
    expect(`${kind}: a cursor for more`, typeof list.json.next_cursor === 'string', list)
    const refused = await send(requestForm(kind, seed), { token: undefined })
    expect(`${kind}: 401 for no token`, refused.status === 401, refused)
  }

  await verifySettings(sql, seed, send, expect)
  if (problems.length > 0) throw new Error(`does not do the same work:\n  ${problems.join('\n  ')}`)
}

async function verifySettings(
  sql: postgres.Sql,
  seed: Seed,
  send: Send,
  expect: (what: string, held: boolean, answer?: Answer) => void,
) {
  const [cluster] = await sql<{ id: string; etag: string; max_machines: number }[]>`
    select id, etag, max_machines from compute.clusters where workspace_id = ${seed.workspace_id} limit 1`
  if (!cluster) throw new Error('there is no cluster in its database')
  const patch = (body: object, options: SendOptions = {}) =>
    send(
      { method: 'PATCH', path: `/v1/clusters/${cluster.id}/compute_settings`, body: JSON.stringify(body) },
      options,
    )
  const max_machines = (cluster.max_machines % 900) + 1
  const swapped = await patch({ auto_scaling_enabled: false, max_machines }, { etag: cluster.etag })
  const { etag } = swapped.json
  expect(
    'settings: 200 with the settings',
    swapped.status === 200 && swapped.json.max_machines === max_machines,
    swapped,
  )
  expect('settings: auto_scaling is inactive', swapped.json.auto_scaling === 'inactive', swapped)
  expect('settings: a new etag', typeof etag === 'string' && etag !== cluster.etag, swapped)
  const late = await patch({ max_machines: max_machines + 1 }, { etag: cluster.etag })
  expect('settings: 409 for an old etag', late.status === 409, late)
  const without = await patch({ max_machines: max_machines + 1 })
  expect('settings: 400 without If-Match', without.status === 400, without)
  const strange = await patch({ surprise: 1 }, { etag: String(etag) })
  expect('settings: 400 for an unknown property', strange.status === 400, strange)
  const nobody = await patch({ max_machines: 5 }, { etag: String(etag), token: undefined })
  expect('settings: 401 for no token', nobody.status === 401, nobody)
  const [stored] = await sql`select etag, max_machines from compute.clusters where id = ${cluster.id}`
  expect('settings: stored as acknowledged', stored?.etag === etag && stored?.max_machines === max_machines)
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

interface SendOptions {
  readonly key?: string
  /** Undefined, but named: none. */
  readonly token?: string | undefined
  readonly etag?: string
}

type Send = (form: { method: string; path: string; body?: string }, options?: SendOptions) => Promise<Answer>

const createSend =
  (url: string, seed: Seed): Send =>
  async ({ method, path, body }, options = {}) => {
    const { key, etag } = options
    const token = 'token' in options ? options.token : seed.token
    const response = await fetch(`${url}${path}`, {
      method,
      body,
      signal: AbortSignal.timeout(15_000),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(etag !== undefined && { 'if-match': `"${etag}"` }),
      },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

const isCreated = ({ status, json }: Answer) =>
  status === 201 && typeof json.id === 'string' && typeof json.short_hash === 'string'

const changed = <Form extends { body?: string }>(form: Form, change: object): Form => ({
  ...form,
  body: JSON.stringify({ ...JSON.parse(form.body ?? '{}'), ...change }),
})

const unknownReference = (kind: Kind) =>
  kind === 'version' ? { package_version_id: 'pkgv_unknown' } : { product_id: 'prod_unknown' }

const freshKey = () => crypto.randomUUID()
