/** What every variant must do before it is measured. A peer that leaves work out would not be comparable. */
import { createApiToken } from '@svc/runtime/credential'
import type { Subject } from '../load/window.ts'
import {
  type Cluster,
  createsOffer,
  type Kind,
  kindsOf,
  requestForm,
  workloadNames,
} from '../load/workloads.ts'
import { type Answer, type Asked, ask } from './ask.ts'

/** Sends a request, by default with the load's token. */
type Send = (asked: Asked) => Promise<Answer>
/** Notes what did not hold. */
type Expect = (what: string, held: boolean | number, answer?: Answer) => void

type Verifiable = Omit<Subject, 'pids'>

/** @throws Error that names everything that the variant does differently */
export async function verify(subject: Verifiable): Promise<void> {
  const { urls, seed } = subject
  const problems: string[] = []
  const expect: Expect = (what, held, answer) => {
    const text = answer && ` (answered ${answer.status} ${answer.text.slice(0, 200)})`
    const holds = typeof held === 'number' ? answer?.status === held : held
    if (!holds) problems.push(`${what}${text ?? ''}`)
  }
  const send: Send = asked => ask(urls[0] ?? '', { token: seed.token, ...asked })
  for (const kind of new Set(workloadNames.flatMap(kindsOf).filter(createsOffer))) {
    const on: Expect = (what, held, answer) => expect(`${kind}: ${what}`, held, answer)
    await verifyCreation(kind, subject, send, on)
  }
  await verifyList('tokens', 'auth_tokens.api_tokens', subject, send, expect)
  await verifyList('installs', 'offers.installs', subject, send, expect)
  await verifySettings(subject, send, expect)
  if (problems.length > 0) throw new Error(`does not do the same work:\n  ${problems.join('\n  ')}`)
}

async function verifyCreation(kind: Kind, { seed, sql }: Verifiable, send: Send, expect: Expect) {
  const form = requestForm(kind, seed)
  const withKey = () => (form.key ? { key: crypto.randomUUID() } : {})
  const own = withKey()
  const { key: hasKey, ...plain } = form
  const create = (change: object, more: Partial<Asked> = withKey()) =>
    send({ ...plain, ...more, body: JSON.stringify({ ...JSON.parse(form.body ?? '{}'), ...change }) })

  const first = await create({}, own)
  expect('201 with id and short_hash', isCreated(first), first)
  const [row] = await sql<{ package_version_id: string }[]>`
    select package_version_id from offers.offers where id = ${String(first.json.id)}`
  expect('the offer is in the table, on its version', row?.package_version_id === seed.package_version_id)
  expect('401 for no token', 401, await create({}, { ...withKey(), token: undefined }))
  expect('401 for an unknown token', 401, await create({}, { ...withKey(), token: createApiToken() }))
  const reference = kind === 'version' ? 'package_version_id' : 'product_id'
  for (const [status, what, change] of [
    [400, 'an unknown property', { surprise: true }],
    [400, 'a text of 501 characters', { notes: 'x'.repeat(501) }],
    [400, 'a wrong type', { max_uses: 'five' }],
    [400, 'a property too many further down', { customer: { display_name: 'x', surprise: 1 } }],
    [422, 'an unknown reference', { [reference]: `${reference.slice(0, 4)}_unknown` }],
    [422, 'an unknown field', { field_values: { surprise: { value: 1, locked: false } } }],
    [422, 'a value that the schema refuses', { field_values: { seats: { value: 0, locked: false } } }],
  ] as const) {
    expect(`${status} for ${what}`, status, await create(change))
  }
  if (!hasKey) return
  const replay = await create({}, own)
  expect('a replay has the same id', isCreated(replay) && replay.json.id === first.json.id, replay)
  expect('a replay says so', replay.replayed, replay)
  expect('409 for a key with another body', 409, await create({ max_uses: 6 }, own))
  const shared = withKey()
  const all = await Promise.all(Array.from({ length: 16 }, () => create({}, shared)))
  const isOne = new Set(all.map(({ json }) => json.id)).size === 1 && all.every(isCreated)
  expect('one offer for a key sent 16 times at once', isOne, all[0])
}

const isCreated = ({ status, json }: Answer) =>
  status === 201 && typeof json.id === 'string' && typeof json.short_hash === 'string'

async function verifyList(
  kind: 'tokens' | 'installs',
  rows: string,
  { seed, sql }: Verifiable,
  send: Send,
  expect: Expect,
) {
  const { method, path } = requestForm(kind, seed)
  const list = await send({ method, path })
  const newest = await sql<{ id: string }[]>`
    select id from ${sql(rows)} where workspace_id = ${seed.workspace_id} order by id desc limit 25`
  const idsOf = (items: unknown) => String((items as { id: string }[] | undefined)?.map(({ id }) => id))
  expect(`${kind}: the 25 newest`, idsOf(list.json.data) === idsOf(newest), list)
  expect(`${kind}: a cursor for more`, typeof list.json.next_cursor === 'string', list)
  expect(`${kind}: 401 for no token`, 401, await send({ method, path, token: undefined }))
}

async function verifySettings({ seed, sql }: Verifiable, send: Send, expect: Expect) {
  const [cluster] = await sql<Cluster[]>`
    select id, etag, max_machines from compute.clusters where workspace_id = ${seed.workspace_id} limit 1`
  if (!cluster) throw new Error('there is no cluster in its database')
  const { method, path } = requestForm('settings', seed, cluster)
  const patch = (body: object, more: Partial<Asked>) =>
    send({ method, path, body: JSON.stringify(body), ...more })
  const max_machines = (cluster.max_machines % 900) + 1
  const swapped = await patch({ auto_scaling_enabled: false, max_machines }, { etag: cluster.etag })
  const { json } = swapped
  expect(
    'settings: 200 with the settings',
    swapped.status === 200 && json.max_machines === max_machines,
    swapped,
  )
  expect('settings: auto_scaling is inactive', json.auto_scaling === 'inactive', swapped)
  const isNew = typeof json.etag === 'string' && json.etag !== cluster.etag
  expect('settings: a new etag', isNew, swapped)
  const etag = String(json.etag)
  const more = { max_machines: max_machines + 1 }
  expect('settings: 409 for an old etag', 409, await patch(more, { etag: cluster.etag }))
  expect('settings: 400 without If-Match', 400, await patch(more, {}))
  expect('settings: 400 for an unknown property', 400, await patch({ surprise: 1 }, { etag }))
  expect('settings: 401 for no token', 401, await patch(more, { etag, token: undefined }))
  const [stored] = await sql<
    Cluster[]
  >`select etag, max_machines from compute.clusters where id = ${cluster.id}`
  const isStored = stored?.etag === etag && stored.max_machines === max_machines
  expect('settings: stored as acknowledged', isStored)
}
