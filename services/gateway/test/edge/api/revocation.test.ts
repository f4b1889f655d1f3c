// A revocation takes effect on every gateway by the time its reply is sent. Two gateways and two replicas of
// auth-tokens are hammered with requests while a credential is revoked.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { insertMember } from '@svc/testing/members'
import { ask } from '../../answers.ts'
import { expectRevoked, hammer } from '../../hammer.ts'

const roundsOf = (quick: number) => Array.from({ length: sized(quick, 5) }, (_, at) => at + 1)
const rounds = roundsOf(1)

const stack = forFile(joinProduct)

const internal = (workspace?: string) => ({ kind: 'internal', id: 'test', workspace }) as const

const asOwner = (path: string, init: RequestInit, gateway: number) =>
  ask(`${stack.baseUrls[gateway]}${path}`, {
    ...init,
    headers: {
      ...init.headers,
      authorization: `Bearer ${stack.dev.owner.session_token}`,
      'svc-context': stack.dev.workspace_id,
    },
  })

async function newMember() {
  const { dev, backoffice, sql } = stack
  const user_id = newId('user')
  await sql`
    insert into auth_tokens.users (id, email, password_hash)
    values (${user_id}, ${`${user_id}@test.example`}, 'none')`
  await insertMember(sql, { workspace: dev.workspace_id, user: user_id, role: 'member' })
  const session = await invoke(backoffice, authTokens, 'create_session', {
    caller: internal(),
    body: { user_id },
  })
  const headers = { authorization: `Bearer ${session.token}`, 'svc-context': dev.workspace_id }
  return { user_id, session, headers }
}

test.each(rounds)(
  'no request sent after the reply to DELETE is accepted with the token (round %d)',
  async round => {
    const { dev, backoffice } = stack
    const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
      caller: internal(dev.workspace_id),
      body: { name: `round ${round}` },
    })
    const outcome = await hammer(stack.baseUrls, { authorization: `Bearer ${token}` }, async () => {
      const { status } = await asOwner(`/api_tokens/${id}`, { method: 'DELETE' }, round % 2)
      expect(status).toBe(204)
    })
    expectRevoked(outcome, 401)
  },
)

test.each(roundsOf(3))(
  'no request sent after a session was ended is accepted with it (round %d)',
  async round => {
    const { session, headers } = await newMember()
    const [first = '', second = ''] = stack.baseUrls
    const authorization = `Bearer ${session.token}`
    const ways = [
      () => ask(`${first}/sessions/${session.id}`, { method: 'DELETE', headers: { authorization } }),
      () => ask(`${second}/sessions/current`, { method: 'DELETE', headers: { authorization } }),
      () =>
        ask(new URL('/oauth/revoke', first).href, {
          method: 'POST',
          body: new URLSearchParams({ token: session.token }),
        }),
    ]
    const outcome = await hammer(stack.baseUrls, headers, async () => {
      const { status } = await (ways[round % 3] as (typeof ways)[0])()
      expect(status).toBe(round % 3 === 2 ? 200 : 204)
    })
    expectRevoked(outcome, 401)
  },
)

test.each(rounds)(
  'no request sent after the reply to PATCH uses a permission that it took away (round %d)',
  async round => {
    const { dev, backoffice } = stack
    const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
      caller: internal(dev.workspace_id),
      body: { name: `narrowed in round ${round}` },
    })
    const outcome = await hammer(stack.baseUrls, { authorization: `Bearer ${token}` }, async () => {
      const body = JSON.stringify({ permissions: ['offers:read'] })
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body }
      expect((await asOwner(`/api_tokens/${id}`, init, round % 2)).status).toBe(200)
    })
    expectRevoked(outcome, 403)
  },
)

test.each(rounds)(
  'no request sent after the reply to DELETE of a member is accepted (round %d)',
  async round => {
    const { user_id, headers } = await newMember()
    const path = `/workspaces/${stack.dev.workspace_id}/members/${user_id}`
    const outcome = await hammer(stack.baseUrls, headers, async () => {
      const { status } = await asOwner(path, { method: 'DELETE' }, round % 2)
      expect(status).toBe(204)
    })
    expectRevoked(outcome, 403)
  },
)

test.each(rounds)(
  'after the reply to a rotation without grace no request is accepted with the old secret (round %d)',
  async round => {
    const { dev, backoffice } = stack
    const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
      caller: internal(dev.workspace_id),
      body: { name: `rotated in round ${round}` },
    })
    let fresh = ''
    const outcome = await hammer(stack.baseUrls, { authorization: `Bearer ${token}` }, async () => {
      const answer = await asOwner(`/api_tokens/${id}/rotate`, { method: 'POST' }, round % 2)
      expect(answer.status).toBe(200)
      fresh = JSON.parse(answer.text).token
    })
    expectRevoked(outcome, 401)
    const { status } = await ask(`${stack.baseUrls[0]}/installs`, {
      headers: { authorization: `Bearer ${fresh}` },
    })
    expect(status).toBe(200)
  },
)

test('during the grace period of a rotation both secrets are accepted on every gateway', async () => {
  const { dev, backoffice, baseUrls } = stack
  const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
    caller: internal(dev.workspace_id),
    body: { name: 'with grace' },
  })
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grace_seconds":3600}',
  }
  const { status, text } = await asOwner(`/api_tokens/${id}/rotate`, init, 0)
  expect(status).toBe(200)
  for (const secret of [token, JSON.parse(text).token]) {
    for (const baseUrl of baseUrls) {
      const answer = await ask(`${baseUrl}/installs`, { headers: { authorization: `Bearer ${secret}` } })
      expect(answer.status).toBe(200)
    }
  }
})
