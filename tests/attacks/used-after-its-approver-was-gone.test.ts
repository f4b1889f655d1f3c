// Anyone with a person's session for a minute: they approved a device of their own, the person ended the session, and the next
// poll opened a new one. And an admin who was removed: the invitations that they had sent, to addresses of their own, were
// still accepted.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import type { Role } from '@svc/contract/core/caller'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertMember } from '@svc/testing/members'
import { requester } from '@svc/testing/stack/driven-stack'

let product: Product
let bus: { call: CallBus; close(): Promise<void> }
beforeAll(async () => {
  product = await joinProduct()
  const connected = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  bus = { call: createCall(connected), close: () => connected.close() }
})
afterAll(async () => {
  await bus?.close()
  await product?.stop()
})

const program = { kind: 'internal', id: 'test' } as const
const openSession = (user_id: string) =>
  invoke(bus.call, authTokens, 'create_session', { caller: program, body: { user_id } })

type Answered = {
  readonly id: string
  readonly data: readonly object[]
}
async function send(method: string, path: string, token: string, body?: object, gateway = 0) {
  const ask = requester<Answered>(product.baseUrls[gateway] ?? '')
  const { status, answer } = await ask(method, path, token, { body })
  return { status, body: answer }
}

async function newPerson() {
  const user = newId('user')
  const email = `${user}@approvers.example`
  await product.sql`
    insert into auth_tokens.users (id, email, password_hash, verified_at) values (${user}, ${email}, '-', now())`
  return { user, email, ...(await openSession(user)) }
}
type Person = Awaited<ReturnType<typeof newPerson>>

describe('a device that was approved, and has not polled yet, gets no session after', () => {
  async function approvedDevice({ id, user }: Person) {
    const started = await oauth('device_authorization', { client_id: 'svc-cli' })
    const person = { caller: { kind: 'session', id, user } } as const
    const entered = await invoke(bus.call, authTokens, 'enter_user_code', {
      ...person,
      body: { user_code_hash: hashCredential(String(started.user_code).replaceAll('-', '')) },
    })
    if (entered.outcome !== 'found') throw new Error(entered.outcome)
    const decision = { grant_id: entered.grant.id, decision: 'approved' } as const
    const { outcome } = await invoke(bus.call, authTokens, 'decide_device_grant', {
      ...person,
      body: decision,
    })
    expect(outcome).toBe('approved')
    return (gateway = 0) =>
      oauth(
        'token',
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: 'svc-cli',
          device_code: String(started.device_code),
        },
        gateway,
      )
  }

  async function oauth(path: string, parameters: Record<string, string>, gateway = 0) {
    const answer = await fetch(`${product.stack.gateways[gateway]?.url}/oauth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(parameters)),
    })
    const text = await answer.text()
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  }

  const newLink = async (email: string) => {
    const hash = hashCredential(createSessionToken())
    await product.sql`
      insert into auth_tokens.verifications (hash, email, created_at, expires_at)
      values (decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 day')`
    return hash
  }

  const password = 'a good long password'
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['its person ended the session', ({ token }) => send('DELETE', '/sessions/current', token)],
    [
      'its person ended it from another one',
      async ({ id, user }) => {
        const other = await openSession(user)
        return send('DELETE', `/sessions/${id}`, other.token, undefined, 1)
      },
    ],
    [
      'its person ended all others',
      async ({ user }) => {
        const other = await openSession(user)
        return send('DELETE', '/sessions', other.token)
      },
    ],
    ['its token was given back', ({ token }) => oauth('revoke', { token })],
    [
      'an operator set a password',
      ({ email }) => invoke(bus.call, authTokens, 'put_user', { caller: program, body: { email, password } }),
    ],
    [
      'its person set a password by a link',
      async ({ email }) =>
        invoke(bus.call, authTokens, 'complete_verification', {
          caller: program,
          body: { hash: await newLink(email), password, origin: { address: '', user_agent: '' } },
        }),
    ],
    [
      'others were opened, more than a person may have',
      async ({ user }) => {
        await product.sql`
          insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at, last_used_at)
          select 'sess_' || gen_random_uuid(), ${user}, sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 day',
            now() + interval '1 hour'
          from generate_series(2, ${maxSessions}::int)`
        return openSession(user)
      },
    ],
    [
      'the session expired',
      ({ id }) =>
        product.sql`update auth_tokens.sessions set expires_at = now() - interval '1 second' where id = ${id}`,
    ],
    ['somebody deleted its row', ({ id }) => product.sql`delete from auth_tokens.sessions where id = ${id}`],
  ]
  test.each(ends)('%s', async (_, end) => {
    const person = await newPerson()
    const polls = [await approvedDevice(person), await approvedDevice(person)]
    await end(person)
    for (const [gateway, poll] of polls.entries()) {
      expect(await poll(gateway)).toMatchObject({ error: 'invalid_grant' })
    }
    const opened = await product.sql`
      select from auth_tokens.sessions where user_id = ${person.user} and client_id = 'svc-cli'`
    expect(opened).toEqual([])
  })

  test('but while the session is there, it gets one', async () => {
    const person = await newPerson()
    const poll = await approvedDevice(person)
    const other = await openSession(person.user)
    expect((await send('DELETE', `/sessions/${other.id}`, person.token)).status).toBe(204)
    expect(await poll()).toMatchObject({ access_token: expect.any(String) })
  })
})

describe('an invitation is revoked, and cannot be accepted, after who sent it', () => {
  const membersOf = (workspace: string) => `/workspaces/${workspace}/members`
  const owner = () => product.dev.owner.session_token
  const ends: [string, Role, Role, (inviter: Person, workspace: string) => Promise<unknown>][] = [
    [
      'was removed',
      'admin',
      'admin',
      ({ user }, workspace) => send('DELETE', `${membersOf(workspace)}/${user}`, owner()),
    ],
    [
      'left',
      'admin',
      'member',
      ({ user, token }, workspace) => send('DELETE', `${membersOf(workspace)}/${user}`, token, undefined, 1),
    ],
    [
      'was made a member',
      'admin',
      'member',
      ({ user }, workspace) =>
        send('PATCH', `${membersOf(workspace)}/${user}`, owner(), { role: 'member' }, 1),
    ],
    [
      'was made an admin, where it is for an owner',
      'owner',
      'owner',
      ({ user }, workspace) => send('PATCH', `${membersOf(workspace)}/${user}`, owner(), { role: 'admin' }),
    ],
    [
      'is no member, as somebody deleted the row',
      'admin',
      'member',
      ({ user }, workspace) =>
        product.sql`delete from auth_tokens.memberships where user_id = ${user} and workspace_id = ${workspace}`,
    ],
  ]
  test.each(ends)('%s', async (_, was, role, end) => {
    const workspace = product.dev.workspace_id
    const [inviter, invited] = [await newPerson(), await newPerson()]
    await insertMember(product.sql, { workspace, user: inviter.user, role: was })
    const { status, body } = await send('POST', membersOf(workspace), inviter.token, {
      email: invited.email,
      role,
    })
    expect(status).toBe(201)
    await end(inviter, workspace)
    const accepted = await send('POST', `/invitations/${body.id}/accept`, invited.token)
    expect(accepted).toMatchObject({
      status: 409,
      body: { errors: [{ code: 40916, metadata: { state: 'revoked' } }] },
    })
    expect((await send('GET', '/invitations', invited.token)).body.data).toEqual([])
    // Somebody who may can invite again.
    const again = await send('POST', membersOf(workspace), owner(), { email: invited.email, role: 'member' })
    expect(again.status).toBe(201)
    expect((await send('POST', `/invitations/${again.body.id}/accept`, invited.token)).status).toBe(200)
  })

  test('but while they may invite, it is accepted', async () => {
    const workspace = product.dev.workspace_id
    const [inviter, invited] = [await newPerson(), await newPerson()]
    await insertMember(product.sql, { workspace, user: inviter.user, role: 'owner' })
    const { body } = await send('POST', membersOf(workspace), inviter.token, {
      email: invited.email,
      role: 'member',
    })
    await send('PATCH', `${membersOf(workspace)}/${inviter.user}`, owner(), { role: 'admin' })
    expect((await send('POST', `/invitations/${body.id}/accept`, invited.token)).status).toBe(200)
  })
})
