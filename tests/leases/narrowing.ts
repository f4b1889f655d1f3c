// Each operation that is marked `narrows` in the contract, by the table below: what it ends is dead at every gateway from its
// reply on, although every gateway has kept it; and so it is where an earlier attempt died between its change and its recall.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import type { Operation } from '@svc/contract/core/operation'
import { maskOf } from '@svc/contract/core/permissions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { waitUntil } from '@svc/local/wait-until'
import { codeOf, createAuthenticator } from '@svc/testing/authenticator'
import { insertWorkspace } from '@svc/testing/members'
import { expect, test } from 'vitest'
import {
  adminOnly,
  asGateway,
  asOwner,
  expectRefused,
  gateways,
  internal,
  newBoundSession,
  newPerson,
  newSession,
  newToken,
  newTokenOf,
  newTrust,
  type Person,
  product,
  send,
  statusOf,
  takeSigningKey,
  type Use,
  useOfKey,
  warm,
} from './own-product/scene.ts'

interface Narrowing {
  /** What is in use, and will be dead or smaller. */
  readonly uses: readonly Use[]
  /** Asks for it, by this gateway or over the bus. @returns the status */
  narrow(gateway: number): Promise<number>
  /** What the first one is answered, and the one after the change was made by hand. */
  readonly answers: readonly [first: number, repeated: number]
  /** Makes the change and recalls nothing, as a process that died in between. */
  byHand(): Promise<unknown>
}

type Marked = {
  [Name in keyof typeof authTokens.operations]: (typeof authTokens.operations)[Name] extends { narrows: true }
    ? Name
    : never
}[keyof typeof authTokens.operations]

const password = 'a good long password'
const origin = { address: '192.0.2.7', user_agent: 'test' }
const workspace = () => product.dev.workspace_id

/** A person with the role, and what they use: a session and a JWT of it. */
async function inUse(role: 'admin' | 'member', refusedWith: Use['refusedWith'] = 401) {
  const person = await newPerson(role)
  const session = await newSession(person, refusedWith)
  return { ...person, session, uses: [session.use, session.useOfJwt] }
}

const endSessions = ({ user }: Person) =>
  product.sql`delete from auth_tokens.sessions where user_id = ${user}`
const endSession = ({ id }: { id: string }) => product.sql`delete from auth_tokens.sessions where id = ${id}`
const endMembership = ({ user }: Person) =>
  product.sql`delete from auth_tokens.memberships where user_id = ${user} and workspace_id = ${workspace()}`
const lowerRole = ({ user }: Person) => product.sql`
  update auth_tokens.memberships set role = 'member' where user_id = ${user} and workspace_id = ${workspace()}`
const endToken = ({ id }: { id: string }) => product.sql`delete from auth_tokens.api_tokens where id = ${id}`

/** What a person and their token have in use, who is removed. */
async function removable(narrow: (person: Person, gateway: number) => Promise<number>, done: number) {
  const person = await inUse('admin', 403)
  return {
    uses: [...person.uses, ...(await newBoundSession(person, 403)).uses, await newTokenOf(person.session)],
    narrow: (gateway: number) => narrow(person, gateway),
    answers: [done, 404] as const,
    byHand: () => endMembership(person),
  }
}

/** A person who can prove their password, and what they use. */
async function withPassword(
  role: 'admin' | 'member' = 'member',
  workspace?: string,
  refusedWith?: Use['refusedWith'],
) {
  const person = await newPerson(role, workspace)
  const body = { email: person.email, password }
  await invoke(product.backoffice, authTokens, 'put_user', { caller: internal(), body })
  const session = await newSession(person, refusedWith, workspace)
  return { person, session, uses: [session.use, session.useOfJwt] }
}

const byBrowser = ({ id }: { id: string }, { user }: Person) =>
  ({ caller: { kind: 'session', id, user } }) as const

/** A person whose password is set, which ends all their sessions. */
async function signedOut(narrow: (person: Person) => Promise<unknown>) {
  const person = await inUse('member')
  return {
    uses: [...person.uses, ...(await newBoundSession(person)).uses],
    narrow: () => statusOf(narrow(person)),
    answers: [200, 200] as const,
    byHand: () => endSessions(person),
  }
}

/** An admin who becomes a member. */
async function lowered(narrow: (person: Person, gateway: number) => Promise<number>) {
  const person = await inUse('admin')
  return {
    uses: [adminOnly(person.session)],
    narrow: (gateway: number) => narrow(person, gateway),
    answers: [200, 200] as const,
    byHand: () => lowerRole(person),
  }
}

/** A person who has as many sessions as there may be, and uses none of the others less lately. */
async function crowded(open: (person: Person) => Promise<unknown>) {
  const { user, email } = await newPerson('member')
  await invoke(product.backoffice, authTokens, 'put_user', { caller: internal(), body: { email, password } })
  const session = await newSession({ user, email })
  const addSessions = (count: number) => product.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at, last_used_at)
    select 'sess_' || gen_random_uuid(), ${user}, sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 day',
      now() + interval '1 hour'
    from generate_series(1, ${count}::int)`
  await addSessions(maxSessions - 1)
  return {
    uses: [session.use, session.useOfJwt],
    narrow: () => statusOf(open({ user, email })),
    answers: [200, 200] as const,
    async byHand() {
      await endSession(session)
      await addSessions(1)
    },
  }
}

const gatewayUrl = () => product.baseUrls[0] ?? ''

/** What a person does with their factors. */
function factorsOf(person: Person, session: { readonly id: string }) {
  const own = byBrowser(session, person)
  const start = async (kind: 'passkey' | 'totp') =>
    invoke(asGateway, authTokens, 'start_factor', { ...own, body: { kind, proof: { password } } })
  async function startPasskey(key: ReturnType<typeof createAuthenticator>) {
    const started = await start('passkey')
    if (started.kind !== 'passkey') throw new Error(started.kind)
    const body = { name: 'test', passkey: key.create(started.options) }
    return () => invoke(asGateway, authTokens, 'add_passkey', { ...own, body })
  }
  return { own, start, startPasskey }
}

/** A first factor: sessions have not proven it, which counts where a fresh proof is asked for. */
async function firstFactor(
  begin: (factors: ReturnType<typeof factorsOf>) => Promise<() => Promise<unknown>>,
  repeated: number,
) {
  const { person, session } = await withPassword('admin')
  const add = await begin(factorsOf(person, session))
  const fresh = { method: 'POST', path: '/api_tokens' } as const
  return {
    uses: [session.use, session.useOfJwt].map(use => ({ ...use, ...fresh })),
    narrow: () => statusOf(add()),
    // The password permits none any more.
    answers: [200, repeated] as const,
    byHand: () => product.sql`
      insert into auth_tokens.totp_factors (user_id, sealed, last_step, created_at)
      values (${person.user}, 'none', 0, now())`,
  }
}

interface Factored extends Person {
  readonly own: ReturnType<typeof byBrowser>
  readonly id: string
  readonly key: ReturnType<typeof createAuthenticator>
}

/** The only factor, in a workspace that demands one. */
async function lastFactor(remove: (person: Factored) => Promise<unknown>, removed = false) {
  const workspace = await insertWorkspace(product.sql)
  await product.sql`update auth_tokens.workspaces set require_second_factor = true where id = ${workspace}`
  const { person, session } = await withPassword('member', workspace, 403)
  const key = createAuthenticator(gatewayUrl())
  const { own, startPasskey } = factorsOf(person, session)
  const { id } = await (await startPasskey(key))()
  await product.sql`update auth_tokens.sessions set amr = '{pwd,hwk,mfa}' where id = ${session.id}`
  return {
    uses: [session.use, session.useOfJwt],
    narrow: () => statusOf(remove({ ...person, own, id, key })),
    answers: [200, 200] as const,
    // Without a factor nobody can prove one to remove it again.
    byHand: async () => {
      if (removed) await product.sql`delete from auth_tokens.passkeys where user_id = ${person.user}`
    },
  }
}

/** A new object of each kind, in use, and how it is ended. An operation that is marked has to stand here: the compiler asks for it. */
const narrowing: Record<Marked, () => Promise<Narrowing>> = {
  async revoke_api_token() {
    const token = await newToken()
    return {
      uses: token.uses,
      narrow: async gateway => (await asOwner('DELETE', `/api_tokens/${token.id}`, gateway)).status,
      answers: [204, 404],
      byHand: () => endToken(token),
    }
  },
  async update_api_token() {
    const token = await newToken()
    const body = { permissions: ['offers:read'] }
    return {
      uses: token.uses.map(use => ({ ...use, refusedWith: 403 as const })),
      narrow: async gateway => (await asOwner('PATCH', `/api_tokens/${token.id}`, gateway, body)).status,
      answers: [200, 200],
      byHand: () =>
        product.sql`update auth_tokens.api_tokens set can = ${maskOf(['offers:read'])} where id = ${token.id}`,
    }
  },
  async rotate_api_token() {
    const token = await newToken()
    return {
      uses: token.uses,
      narrow: async gateway => (await asOwner('POST', `/api_tokens/${token.id}/rotate`, gateway)).status,
      answers: [200, 404],
      byHand: () => endToken(token),
    }
  },
  async delete_ci_trust() {
    const trust = await newTrust()
    return {
      uses: [await trust.newToken(), await trust.newToken()],
      narrow: async gateway => (await asOwner('DELETE', `/ci_trusts/${trust.id}`, gateway)).status,
      answers: [204, 404],
      byHand: () => product.sql`delete from auth_tokens.ci_trusts where id = ${trust.id}`,
    }
  },
  async end_previous_secret() {
    const token = await newToken()
    const path = `/api_tokens/${token.id}`
    await asOwner('POST', `${path}/rotate`, 0, { grace_seconds: 3600 })
    return {
      uses: token.uses,
      narrow: async gateway => (await asOwner('DELETE', `${path}/previous_secret`, gateway)).status,
      answers: [204, 404],
      byHand: () => product.sql`delete from auth_tokens.retired_secrets where token_id = ${token.id}`,
    }
  },
  update_member: () =>
    lowered(async ({ user }, gateway) => {
      const path = `/workspaces/${workspace()}/members/${user}`
      return (await asOwner('PATCH', path, gateway, { role: 'member' })).status
    }),
  delete_member: () =>
    removable(async ({ user }, gateway) => {
      return (await asOwner('DELETE', `/workspaces/${workspace()}/members/${user}`, gateway)).status
    }, 204),
  put_user: () =>
    signedOut(({ email }) =>
      invoke(product.backoffice, authTokens, 'put_user', { caller: internal(), body: { email, password } }),
    ),
  async set_password() {
    const { session, person } = await withPassword()
    const other = await newSession(person)
    const body = { current_password: password, password: 'another good password' }
    return {
      uses: [other.use, other.useOfJwt],
      narrow: () =>
        statusOf(invoke(asGateway, authTokens, 'set_password', { ...byBrowser(session, person), body })),
      answers: [200, 200],
      byHand: () => endSession(other),
    }
  },
  async delete_user() {
    const { session, uses, person } = await withPassword()
    const call = { ...byBrowser(session, person), body: { password } }
    return {
      uses,
      narrow: () => statusOf(invoke(asGateway, authTokens, 'delete_user', call)),
      answers: [200, 401],
      byHand: () => product.sql`
        with ended as (delete from auth_tokens.sessions where user_id = ${person.user})
        update auth_tokens.users set password_hash = null, deleted_at = now() where id = ${person.user}`,
    }
  },
  async update_workspace() {
    const id = await insertWorkspace(product.sql)
    const [owner, member] = await Promise.all([newPerson('owner', id), newPerson('member', id)])
    const [session, other] = await Promise.all([owner, member].map(one => newSession(one, 403, id)))
    if (!session || !other) throw new Error('no session')
    await product.sql`
      with factor as (
        insert into auth_tokens.totp_factors (user_id, sealed, last_step, created_at) values (${owner.user}, 'none', 0, now())
      )
      update auth_tokens.sessions set amr = '{pwd,otp,mfa}' where id = ${session.id}`
    return {
      uses: [other.use, other.useOfJwt],
      async narrow(gateway) {
        const response = await fetch(`${product.baseUrls[gateway]}/workspaces/${id}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
          body: '{"require_second_factor":true}',
        })
        return response.status
      },
      answers: [200, 200],
      byHand: () => product.sql`
        update auth_tokens.workspaces set require_second_factor = true where id = ${id}`,
    }
  },
  async delete_workspace() {
    const id = await insertWorkspace(product.sql)
    const [owner, member] = await Promise.all([newPerson('owner', id), newPerson('member', id)])
    const [session, other] = await Promise.all([owner, member].map(one => newSession(one, 403, id)))
    if (!session || !other) throw new Error('no session')
    const path = `/workspaces/${id}`
    return {
      uses: [session.use, session.useOfJwt, other.use, (await newToken(id)).use],
      narrow: gateway => send({ ...session.use, method: 'DELETE', path }, gateway),
      answers: [204, 403],
      byHand: () => product.sql`
        with gone as (update auth_tokens.workspaces set deleted_at = now() where id = ${id}),
          out as (delete from auth_tokens.memberships where workspace_id = ${id})
        delete from auth_tokens.api_tokens where workspace_id = ${id}`,
    }
  },
  create_owner: () =>
    signedOut(({ email }) => {
      const body = { email, workspace_name: 'New', password }
      return invoke(product.backoffice, authTokens, 'create_owner', { caller: internal(), body })
    }),
  complete_verification: () =>
    signedOut(async ({ email }) => {
      const hash = hashCredential(createSessionToken())
      await product.sql`
        insert into auth_tokens.verifications (hash, email, created_at, expires_at)
        values (decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 day')`
      const body = { hash, password, origin }
      return invoke(asGateway, authTokens, 'complete_verification', { caller: internal(), body })
    }),
  create_session: () =>
    crowded(({ user }) => {
      const body = { user_id: user }
      return invoke(product.backoffice, authTokens, 'create_session', { caller: internal(), body })
    }),
  sign_in: () =>
    crowded(({ email }) =>
      invoke(asGateway, authTokens, 'sign_in', { caller: internal(), body: { email, password, origin } }),
    ),
  poll_device_grant: () =>
    crowded(async ({ user }) => {
      const [used] = await product.sql`
        select id from auth_tokens.sessions where user_id = ${user} and last_used_at is not null limit 1`
      const person = { caller: { kind: 'session', id: String(used?.id), user } } as const
      const caller = internal()
      const client_id = 'svc-cli'
      const started = await invoke(asGateway, authTokens, 'start_device_grant', {
        caller,
        body: { client_id, origin },
      })
      if (started.outcome !== 'started') throw new Error(started.outcome)
      const user_code_hash = hashCredential(started.user_code.replace('-', ''))
      const entered = await invoke(asGateway, authTokens, 'enter_user_code', {
        ...person,
        body: { user_code_hash },
      })
      if (entered.outcome !== 'found') throw new Error(entered.outcome)
      const decision = { grant_id: entered.grant.id, decision: 'approved' } as const
      await invoke(asGateway, authTokens, 'decide_device_grant', { ...person, body: decision })
      const device_code_hash = hashCredential(started.device_code)
      const polled = { device_code_hash, client_id, origin }
      const { outcome } = await invoke(asGateway, authTokens, 'poll_device_grant', { caller, body: polled })
      expect(outcome).toBe('approved')
    }),
  add_passkey: () => firstFactor(({ startPasskey }) => startPasskey(createAuthenticator(gatewayUrl())), 422),
  add_totp: () =>
    firstFactor(async ({ own, start }) => {
      const started = await start('totp')
      if (started.kind !== 'totp') throw new Error(started.kind)
      const { permit, sealed, secret } = started
      const body = () => ({ permit, sealed, code: codeOf(secret) })
      return () => invoke(asGateway, authTokens, 'add_totp', { ...own, body: body() })
    }, 409),
  remove_factor: () =>
    lastFactor(async ({ own, id, key }) => {
      const { options } = await invoke(asGateway, authTokens, 'list_factors', own)
      const body = { id, proof: { passkey: key.get(options) } }
      return invoke(asGateway, authTokens, 'remove_factor', { ...own, body })
    }),
  reset_factors: () =>
    lastFactor(
      ({ email }) =>
        invoke(product.backoffice, authTokens, 'reset_factors', { caller: internal(), body: { email } }),
      true,
    ),
  complete_sign_in: () =>
    crowded(async person => {
      const [row] = await product.sql`
        select id from auth_tokens.sessions where user_id = ${person.user} limit 1`
      const key = createAuthenticator(gatewayUrl())
      const add = await factorsOf(person, { id: String(row?.id) }).startPasskey(key)
      await add()
      const caller = internal()
      const { options } = await invoke(asGateway, authTokens, 'read_pending_sign_in', { caller, body: {} })
      const body = { proof: { passkey: key.get(options) }, origin }
      return invoke(asGateway, authTokens, 'complete_sign_in', { caller, body })
    }),
  async end_session() {
    const person = await newPerson('member')
    const [other, bound] = [await newSession(person), await newBoundSession(person)]
    const path = `/sessions/${bound.id}`
    return {
      uses: bound.uses,
      narrow: gateway => send({ ...other.use, method: 'DELETE', path }, gateway),
      answers: [204, 404],
      byHand: () => endSession(bound),
    }
  },
  async end_other_sessions() {
    const { session, user, email, uses } = await inUse('member')
    const other = await newSession({ user, email })
    return {
      uses,
      narrow: gateway => send({ ...other.useOfJwt, method: 'DELETE', path: '/sessions' }, gateway),
      answers: [200, 200],
      byHand: () => endSession(session),
    }
  },
  async revoke_token() {
    const { session, uses } = await inUse('member')
    return {
      uses,
      narrow: async gateway => {
        const url = new URL('/oauth/revoke', product.baseUrls[gateway])
        const response = await fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ token: session.token }),
        })
        return response.status
      },
      answers: [200, 200],
      byHand: () => endSession(session),
    }
  },
  async remove_signing_key() {
    const key = takeSigningKey()
    const body = { kid: key.kid }
    const { session } = await inUse('member')
    const use = useOfKey(key, session)
    await waitUntil('every gateway to know the key', async () => {
      const statuses = await Promise.all(gateways().map(gateway => send(use, gateway)))
      return !statuses.includes(use.refusedWith)
    })
    return {
      uses: [use],
      narrow: () =>
        statusOf(invoke(product.backoffice, authTokens, 'remove_signing_key', { caller: internal(), body })),
      answers: [200, 404],
      byHand: () => product.sql`delete from auth_tokens.signing_keys where kid = ${key.kid}`,
    }
  },
}

const { remove_signing_key, ...others } = narrowing
const gatewayOf = (name: string) => name.length % 2

function holdsAtOnce(operations: Partial<typeof narrowing>) {
  test.each(Object.entries(operations))(
    '%s ends what is in use at every gateway, from its reply on',
    async (name, prepare) => {
      const { uses, narrow, answers } = await prepare()
      await warm(...uses)
      expect(await narrow(gatewayOf(name))).toBe(answers[0])
      await expectRefused(...uses)
    },
  )
}

/** On a product of its own: signing keys belong to the whole product, and that of the run has no others than its own. */
export function narrowsAfterDeaths() {
  holdsAtOnce({ remove_signing_key })

  test.each(Object.entries(narrowing))(
    '%s ends what is in use also where an earlier attempt died before its recall',
    async (name, prepare) => {
      const scenes: Narrowing[] = []
      // A gateway that loses its lease meanwhile knows of the change, and there would be nothing to recall.
      await waitUntil('a change that gateways know nothing of', async () => {
        const scene = await prepare()
        scenes.push(scene)
        await warm(...scene.uses)
        await scene.byHand()
        const sent = scene.uses.flatMap(use =>
          gateways().map(async at => (await send(use, at)) !== use.refusedWith),
        )
        return (await Promise.all(sent)).every(Boolean)
      })
      for (const { narrow, answers, uses } of scenes.slice(-1)) {
        expect(await narrow(gatewayOf(name))).toBe(answers[1])
        await expectRefused(...uses)
      }
    },
  )
}

export function narrows() {
  test('every operation that is marked is in the table', () => {
    const marked = Object.entries<Operation>(authTokens.operations).filter(([, { narrows }]) => narrows)
    expect(Object.keys(narrowing).sort()).toEqual(marked.map(([name]) => name).sort())
  })

  holdsAtOnce(others)

  test('a member who leaves is out at every gateway, also if they have to say it twice', async () => {
    for (const first of [true, false]) {
      const person = await inUse('member', 403)
      await warm(...person.uses)
      if (!first) await endMembership(person)
      const path = `/workspaces/${workspace()}/members/${person.user}`
      const leaving = { headers: { authorization: `Bearer ${person.session.token}` }, method: 'DELETE', path }
      expect(await send({ ...leaving, refusedWith: 403 }, 0)).toBe(first ? 204 : 403)
      await expectRefused(...person.uses)
    }
  })

  test('a member who lowers their own role has it lowered at every gateway, also if they have to say it twice', async () => {
    for (const first of [true, false]) {
      const person = await inUse('admin')
      const use = adminOnly(person.session)
      await warm(use)
      if (!first) await lowerRole(person)
      const response = await fetch(
        `${product.baseUrls[0]}/workspaces/${workspace()}/members/${person.user}`,
        {
          method: 'PATCH',
          headers: { authorization: `Bearer ${person.session.token}`, 'content-type': 'application/json' },
          body: '{"role":"member"}',
        },
      )
      expect(response.status).toBe(first ? 200 : 403)
      await expectRefused(use)
    }
  })

  test('a session that is ended as the current one is dead at every gateway, and so are its JWTs', async () => {
    const { session, uses } = await inUse('member')
    await warm(...uses)
    expect(await send({ ...session.useOfJwt, method: 'DELETE', path: '/sessions/current' }, 1)).toBe(204)
    await expectRefused(...uses)
  })

  test('a rotation with grace that is followed by one without leaves neither secret', async () => {
    const token = await newToken()
    const rotate = async (grace_seconds: number, gateway: number) => {
      const response = await asOwner('POST', `/api_tokens/${token.id}/rotate`, gateway, { grace_seconds })
      expect(response.status).toBe(200)
      return ((await response.json()) as { token: string }).token
    }
    const second: Use = { ...token.use, headers: { authorization: `Bearer ${await rotate(60, 0)}` } }
    await warm(token.use, second)
    const third: Use = { ...token.use, headers: { authorization: `Bearer ${await rotate(0, 1)}` } }
    await expectRefused(second)
    for (const at of gateways()) expect(await send(third, at)).toBe(200)
  })

  test('a promotion holds at every gateway from its reply on', async () => {
    const person = await inUse('member')
    const use = adminOnly(person.session)
    await warm(use)
    const path = `/workspaces/${workspace()}/members/${person.user}`
    expect((await asOwner('PATCH', path, 1, { role: 'admin' })).status).toBe(200)
    for (const at of gateways()) expect(await send(use, at)).toBe(400)
  })

  test('a membership that is new holds at every gateway from its reply on', async () => {
    const person = await newPerson()
    const session = await newSession(person, 403)
    await expectRefused(session.use)
    await product.sql`update auth_tokens.users set verified_at = now() where id = ${person.user}`
    const path = `/workspaces/${workspace()}/members`
    const invited = await asOwner('POST', path, 0, { email: person.email, role: 'member' })
    const { id } = (await invited.json()) as { id: string }
    const accepting = { headers: { authorization: `Bearer ${session.token}` }, method: 'POST' }
    expect(await send({ ...accepting, path: `/invitations/${id}/accept`, refusedWith: 403 }, 0)).toBe(200)
    for (const at of gateways()) expect(await send(session.use, at)).toBe(200)
  })
}
