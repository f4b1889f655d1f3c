// Which operations ask a person to have proved who they are within ten minutes (docs/specification.md, R93): each one, over
// HTTP and on the bus, as its contract says.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { header } from '@svc/bus/wire'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import { codes } from '@svc/contract/core/error-codes'
import { type Operation, subjectOf } from '@svc/contract/core/operation'
import { operations } from '@svc/contract/services'
import { invoke } from '@svc/bus/invoke'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { unhurried } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const stack = forFile(joinProduct)
const silent = { info() {}, warn() {}, error() {} }
const [stepUp] = codes.step_up_required
const old = () => Math.floor(Date.now() / 1000) - 660
const fresh = () => Math.floor(Date.now() / 1000) - 540
let bus: Bus
let call: CallBus
/** Calls on the bus do not look up the session, so they go on if one of them ends it. */
let caller: Owner['caller']

beforeAll(async () => {
  bus = await connectBus(stack.stack.bus('tests'), silent)
  call = createCall(bus)
  ;({ caller } = await newOwner())
})
afterAll(() => bus?.close())

interface Sent {
  readonly params?: Record<string, string>
  readonly body?: object
}

/** An owner of a workspace of their own, with another owner and a member in it. */
async function newOwner() {
  const workspace = await insertWorkspace(stack.sql)
  const [user, owner, member] = [newId('user'), newId('user'), newId('user')]
  const people = [user, owner, member]
  await stack.sql`
    insert into auth_tokens.users (id, email, password_hash)
    select id, id || '@test.example', '-' from unnest(${people}::text[]) id`
  await Promise.all(
    people.map(id =>
      insertMember(stack.sql, { workspace, user: id, role: id === member ? 'member' : 'owner' }),
    ),
  )
  const { id, token } = await invoke(stack.backoffice, authTokens, 'create_session', {
    caller: { kind: 'internal', id: 'test' },
    body: { user_id: user },
  })
  const caller = { kind: 'session', id, user, workspace, role: 'owner' } as const
  return { workspace, owner, member, id, token, caller }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

async function onBus(service: string, name: string, caller: Caller, { params = {}, body = {} }: Sent = {}) {
  const answer = await call({
    subject: subjectOf(service, name),
    body: Buffer.from(JSON.stringify(body)),
    headers: {
      [header.caller]: JSON.stringify(caller),
      [header.params]: String(new URLSearchParams(params)),
    },
    deadline: unhurried(),
  })
  return codeIn(new TextDecoder().decode(answer.body))
}

async function overHttp(
  { http, access }: Operation,
  { token, workspace }: Owner,
  { params = {}, body }: Sent = {},
) {
  const path = http?.path
    .replace('/workspaces/{id}', `/workspaces/${params.id ?? workspace}`)
    .replace(/\{(\w+)\}/g, (_, name) => params[name] ?? `${name}_1`)
  const answer = await fetch(`${stack.dev.base_url}${path}`, {
    method: http?.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(access.workspace && { 'svc-context': workspace }),
      ...(http?.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(http?.method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  })
  return { code: codeIn(await answer.text()), challenge: answer.headers.get('www-authenticate') }
}

const newToken = async (workspace: string, narrowed: object) => {
  const caller = { kind: 'internal', id: 'test', workspace } as const
  const body = { name: 'n', ...narrowed }
  return (await invoke(stack.backoffice, authTokens, 'create_api_token', { caller, body })).id
}

const codeIn = (text: string): number | undefined => {
  try {
    return (JSON.parse(text) as { errors?: { code: number }[] }).errors?.[0]?.code
  } catch {
    return undefined
  }
}

const age = ({ id }: Owner, authTime: number) => stack.sql`
  update auth_tokens.sessions set auth_time = to_timestamp(${authTime}) where id = ${id}`

const ofPeople = operations.filter(
  ({ operation: { access } }) => access.credentials.includes('session') && !access.agent,
)
// What ends the session that asks is asked last, by itself.
const endsItself = new Set(['end_other_sessions', 'delete_user', 'end_session'])

describe.each(ofPeople)('$service.$name', ({ service, name, operation }) => {
  const asks = operation.stepUp === true

  test.skipIf(asks)('asks nobody on the bus', async () => {
    expect(await onBus(service, name, { ...caller, auth_time: old() })).not.toBe(stepUp)
  })

  test.runIf(asks)('asks a person with an old proof on the bus, and no one else', async () => {
    for (const auth_time of [old(), 0])
      expect(await onBus(service, name, { ...caller, auth_time })).toBe(stepUp)
    expect(await onBus(service, name, { ...caller, auth_time: fresh() })).not.toBe(stepUp)
    const { workspace } = caller
    const token = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' } as const
    expect(await onBus(service, name, token)).not.toBe(stepUp)
  })

  test.runIf(asks && operation.http && !endsItself.has(name))('asks for it over HTTP', async () => {
    const person = await newOwner()
    await age(person, old())
    expect(await overHttp(operation, person)).toEqual({
      code: stepUp,
      challenge: 'Bearer error="insufficient_user_authentication", max_age="600"',
    })
    const admitted = await newOwner()
    await age(admitted, fresh())
    expect((await overHttp(operation, admitted)).code).not.toBe(stepUp)
  })
})

/** The operations that ask in some cases: a case in which each does, and one in which it does not. */
type Cases = readonly [asked: Sent, notAsked: Sent]
const sometimes: Readonly<Record<string, (owner: Owner) => Cases | Promise<Cases>>> = {
  async update_api_token({ workspace }) {
    const id = await newToken(workspace, { permissions: 'read' })
    return [
      { params: { id }, body: { permissions: ['offers:read', 'offers:write'] } },
      { params: { id }, body: { name: 'x', permissions: ['offers:read'] } },
    ]
  },
  add_member: ({ workspace: id }) => [
    { params: { id }, body: { email: 'a@test.example', role: 'owner' } },
    { params: { id }, body: { email: 'b@test.example', role: 'admin' } },
  ],
  update_member: ({ workspace: id, member }) => [
    { params: { id, user_id: member }, body: { role: 'owner' } },
    { params: { id, user_id: member }, body: { role: 'admin' } },
  ],
  delete_member: ({ workspace: id, owner, member }) => [
    { params: { id, user_id: owner } },
    { params: { id, user_id: member } },
  ],
  decide_device_grant: () => [
    { body: { grant_id: newId('grant'), decision: 'approved' } },
    { body: { grant_id: newId('grant'), decision: 'denied' } },
  ],
}

test('what asks in some cases is in the table', () => {
  const named = ofPeople.filter(({ operation }) => typeof operation.stepUp === 'string')
  expect(Object.keys(sometimes).sort()).toEqual(named.map(({ name }) => name).sort())
})

test.each(ofPeople.filter(({ name }) => Object.hasOwn(sometimes, name)))(
  '$name asks in these cases, and in no others',
  async ({ service, name, operation }) => {
    const person = await newOwner()
    const [asked, notAsked] = (await sometimes[name]?.(person)) ?? [{}, {}]
    const caller = { ...person.caller, auth_time: old() }
    expect(await onBus(service, name, caller, asked)).toBe(stepUp)
    if (operation.http) {
      await age(person, old())
      expect((await overHttp(operation, person, asked)).code).toBe(stepUp)
    }
    expect(await onBus(service, name, caller, notAsked)).not.toBe(stepUp)
    expect(await onBus(service, name, { ...caller, auth_time: fresh() }, asked)).toBeUndefined()
  },
)

test.each<[string, object, object, boolean]>([
  ['from read to all that a member may', { permissions: 'read' }, { permissions: null }, true],
  ['from all that a member may to read', {}, { permissions: 'read' }, false],
  ['by the audit log, which members do not read', {}, { permissions: ['audit_log:read'] }, true],
  ['to other permissions', { permissions: ['offers:read'] }, { permissions: ['orders:read'] }, true],
  [
    'to part of a network',
    { allowed_addresses: ['192.0.2.0/24'] },
    { allowed_addresses: ['192.0.2.7'] },
    false,
  ],
  [
    'to a second network',
    { allowed_addresses: ['192.0.2.0/24'] },
    { allowed_addresses: ['192.0.2.0/24', '::1'] },
    true,
  ],
  [
    'to a greater network',
    { allowed_addresses: ['192.0.2.0/24'] },
    { allowed_addresses: ['192.0.0.0/16'] },
    true,
  ],
  ['to any network', { allowed_addresses: ['192.0.2.0/24'] }, { allowed_addresses: null }, true],
  ['to a network from anywhere', {}, { allowed_addresses: ['192.0.2.0/24'] }, false],
  ['in its name', { permissions: 'read' }, { name: 'x' }, false],
])('asks whether a token is changed %s', async (_case, before, change, asks) => {
  const { caller, workspace } = await newOwner()
  const sent = { params: { id: await newToken(workspace, before) }, body: change }
  const answered = await onBus('auth-tokens', 'update_api_token', { ...caller, auth_time: old() }, sent)
  expect(answered === stepUp).toBe(asks)
  expect(
    await onBus('auth-tokens', 'update_api_token', { ...caller, auth_time: fresh() }, sent),
  ).toBeUndefined()
})

test('the lowering of an owner asks as well', async () => {
  const { caller, workspace: id, owner } = await newOwner()
  const lower = { params: { id, user_id: owner }, body: { role: 'member' } }
  expect(await onBus('auth-tokens', 'update_member', { ...caller, auth_time: old() }, lower)).toBe(stepUp)
  expect(
    await onBus('auth-tokens', 'update_member', { ...caller, auth_time: fresh() }, lower),
  ).toBeUndefined()
})
