/** Every statement of auth-tokens: people, tokens, sessions, device grants, keys, mail. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import type { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { FactorProof } from '@svc/contract/auth-tokens/factors'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { codeOf, createAuthenticator } from '../authenticator.ts'
import { opened } from '../opened.ts'
import { type Driven, caller, sender } from '../stack/driven-stack.ts'

const origin = { address: '127.0.0.1', user_agent: 'plans' }
const password = 'a good long password'

export async function useSignIn(driven: Driven) {
  const user_id = await usePeople(driven)
  await useSessions(driven, user_id)
  await useDeviceGrant(driven, user_id)
  await useAccount(driven)
  await useFactors(driven)
  await useKeys(driven)
  await useMail(driven)
}

async function usePeople({ dev, baseUrl, backoffice: call }: Driven): Promise<string> {
  const send = sender(baseUrl)
  const owner = dev.owner.session_token
  const email = `${newId('user')}@plans.example`
  const { id: user_id } = await invoke(call, authTokens, 'put_user', {
    ...caller(),
    body: { email, password },
  })
  await invoke(call, authTokens, 'create_owner', {
    ...caller(),
    body: { email: `owner.${email}`, workspace_name: 'Plans' },
  })
  const headers = { 'idempotency-key': user_id }
  for (let times = 0; times < 2; times++)
    await send('POST', '/workspaces', owner, { headers, body: { name: 'Plans' } })
  await send('GET', '/workspaces', dev.api_token)
  await invoke(call, authTokens, 'verify_user', { ...caller(), body: { email } })
  return user_id
}

async function useSessions({ backoffice, baseUrl, gateway, sql }: Driven, user_id: string) {
  const [user] = await sql`select email from auth_tokens.users where id = ${user_id}`
  const signIn = async (browser_hashes: string[], secret = password) =>
    opened(
      await invoke(gateway, authTokens, 'sign_in', {
        ...caller(),
        body: { email: user?.email, password: secret, origin, browser_hashes },
      }),
    )
  const first = await signIn([])
  const signedIn = await signIn([hashCredential(first.browser_token ?? '')])
  await invoke(gateway, authTokens, 'read_user', {
    caller: { kind: 'session', id: signedIn.id, user: user_id },
  })
  const { user_code } = await sender(baseUrl)('POST', '/sessions/current/confirmation', signedIn.token)
  const byPerson = { caller: { kind: 'session', id: signedIn.id, user: user_id } } as const
  const code_hash = hashCredential(`${user_code}`.replace('-', ''))
  await invoke(gateway, authTokens, 'find_confirmation', { ...byPerson, body: { code_hash } })
  await invoke(gateway, authTokens, 'confirm_session', {
    ...byPerson,
    body: { code_hash, proof: { password } },
  })
  await signIn([], 'another password').catch(() => {})
  await tooLateToSignIn(gateway)
  const newSession = () =>
    invoke(backoffice, authTokens, 'create_session', { ...caller(), body: { user_id } })
  const ended = await newSession()
  await invoke(gateway, authTokens, 'revoke_token', {
    ...caller(),
    body: { hash: hashCredential(ended.token) },
  })
}

/** Who has too little time left for the check of a password is turned away, and gives the attempt back. */
async function tooLateToSignIn(gateway: CallBus) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const signedIn = invoke(gateway, authTokens, 'sign_in', {
      ...caller(),
      body: { email: `${attempt}@plans.example`, password, origin },
      deadline: Date.now() + 450,
    })
    const tag = await signedIn.then(
      () => 'signed in',
      error => (error as ApiError).tag,
    )
    if (tag === 'Unavailable') return
  }
  throw new Error('no sign-in was turned away')
}

async function useDeviceGrant({ backoffice, gateway }: Driven, user: string) {
  const client_id = 'svc-cli'
  await invoke(backoffice, authTokens, 'put_oauth_client', {
    ...caller(),
    body: { id: client_id, name: 'svc command line' },
  })
  const started = await invoke(gateway, authTokens, 'start_device_grant', {
    ...caller(),
    body: { client_id, origin },
  })
  if (started.outcome !== 'started') throw new Error(started.outcome)
  const { id } = await invoke(backoffice, authTokens, 'create_session', {
    ...caller(),
    body: { user_id: user },
  })
  const person = { caller: { kind: 'session', id, user } } as const
  const poll = () =>
    invoke(gateway, authTokens, 'poll_device_grant', {
      ...caller(),
      body: { device_code_hash: hashCredential(started.device_code), client_id, origin },
    })
  await poll()
  const entered = await invoke(gateway, authTokens, 'enter_user_code', {
    ...person,
    body: { user_code_hash: hashCredential(started.user_code.replace('-', '')) },
  })
  if (entered.outcome !== 'found') throw new Error(entered.outcome)
  await invoke(gateway, authTokens, 'decide_device_grant', {
    ...person,
    body: { grant_id: entered.grant.id, decision: 'approved' },
  })
  const polled = await poll()
  if (polled.outcome !== 'approved') throw new Error(polled.outcome)
}

/** A person changes their account and deletes a workspace and themselves; the rest of the workspace is cleared later. */
async function useAccount({ baseUrl, backoffice, gateway, sql }: Driven) {
  const send = sender(baseUrl)
  const email = `${newId('user')}@plans.example`
  const { id: user } = await invoke(backoffice, authTokens, 'put_user', {
    ...caller(),
    body: { email, password },
  })
  const session = await invoke(backoffice, authTokens, 'create_session', {
    ...caller(),
    body: { user_id: user },
  })
  await send('PATCH', '/user', session.token, { body: { name: 'Plans' } })
  const { id } = await send('POST', '/workspaces', session.token, { body: { name: 'Plans' } })
  const member = {
    caller: { kind: 'session', id: session.id, user, workspace: `${id}`, role: 'owner' },
  } as const
  const ids = { body: { ids: [user, newId('tok'), newId('prod'), newId('clus')] } }
  await invoke(gateway, authTokens, 'find_names', { ...member, ...ids })
  await invoke(gateway, offers, 'find_names', { ...member, ...ids })
  await invoke(gateway, compute, 'find_names', { ...member, ...ids })
  await send('DELETE', `/workspaces/${id}`, session.token)
  const person = { caller: { kind: 'session', id: session.id, user } } as const
  const body = { current_password: password, password: 'another good password' }
  await invoke(gateway, authTokens, 'set_password', { ...person, body })
  await invoke(gateway, authTokens, 'delete_user', { ...person, body: { password: body.password } })
  await sql`update auth_tokens.workspaces set deleted_at = now() - interval '11 s' where id = ${`${id}`}`
  await waitUntil('the workspace to be cleared', async () => {
    const [left] = await sql`select from auth_tokens.workspaces where id = ${`${id}`} and clearing`
    return !left
  })
}

/** A person adds a passkey and TOTP, signs in with each and a recovery code, and loses all. */
async function useFactors({ baseUrl, backoffice, gateway }: Driven) {
  const email = `${newId('user')}@plans.example`
  const { id: user_id } = await invoke(backoffice, authTokens, 'put_user', {
    ...caller(),
    body: { email, password },
  })
  const session = await invoke(backoffice, authTokens, 'create_session', { ...caller(), body: { user_id } })
  const own = { caller: { kind: 'session', id: session.id, user: user_id } } as const
  const key = createAuthenticator(baseUrl)
  const started = await invoke(gateway, authTokens, 'start_factor', {
    ...own,
    body: { kind: 'passkey', proof: { password } },
  })
  if (started.kind !== 'passkey') throw new Error(started.kind)
  const { id, recovery_codes } = await invoke(gateway, authTokens, 'add_passkey', {
    ...own,
    body: { name: 'Plans', passkey: key.create(started.options) },
  })
  const [first = '', second = '', third = ''] = recovery_codes ?? []
  const proof = async () => {
    const { options } = await invoke(gateway, authTokens, 'list_factors', own)
    return { passkey: key.get(options) }
  }
  const totp = await invoke(gateway, authTokens, 'start_factor', {
    ...own,
    body: { kind: 'totp', proof: await proof() },
  })
  if (totp.kind !== 'totp') throw new Error(totp.kind)
  const { permit, sealed, secret } = totp
  await invoke(gateway, authTokens, 'add_totp', {
    ...own,
    body: { permit, sealed, code: codeOf(secret, Date.now() - 30_000) },
  })
  const signIn = async (proofOf: (options: object | null) => FactorProof) => {
    const pending = await invoke(gateway, authTokens, 'sign_in', {
      ...caller(),
      body: { email, password, origin },
    })
    const hash = hashCredential(pending.token)
    const { options } = await invoke(gateway, authTokens, 'read_pending_sign_in', {
      ...caller(),
      body: { hash },
    })
    const body = { hash, proof: proofOf(options), origin, browser_hashes: [] }
    await invoke(gateway, authTokens, 'complete_sign_in', { ...caller(), body })
  }
  await signIn(options => ({ passkey: key.get(options) }))
  await signIn(() => ({ code: codeOf(secret) }))
  await signIn(() => ({ code: first }))
  const { options } = await invoke(gateway, authTokens, 'read_pending_sign_in', { ...caller(), body: {} })
  const alone = { proof: { passkey: key.get(options) }, origin }
  await invoke(gateway, authTokens, 'complete_sign_in', { ...caller(), body: alone })
  await invoke(gateway, authTokens, 'remove_factor', { ...own, body: { id, proof: { code: second } } })
  await invoke(gateway, authTokens, 'create_recovery_codes', { ...own, body: { proof: { code: third } } })
  await invoke(backoffice, authTokens, 'reset_factors', { ...caller(), body: { email } })
}

async function useKeys({ dev, baseUrl, backoffice, gateway, sql }: Driven) {
  const exchanged = await invoke(gateway, authTokens, 'exchange_session', {
    ...caller(),
    body: { hash: hashCredential(dev.owner.session_token) },
  })
  if (exchanged.outcome !== 'issued') throw new Error(exchanged.outcome)
  await sender(baseUrl)('GET', '/workspaces', exchanged.access_token)
  await invoke(backoffice, authTokens, 'list_signing_keys', caller())
  await sql`update auth_tokens.signing_keys set created_at = now() - interval '1 hour'`
  const { retired } = await invoke(backoffice, authTokens, 'rotate_signing_keys', caller())
  await invoke(backoffice, authTokens, 'remove_signing_key', { ...caller(), body: { kid: retired } })
}

/** Mail is sent, and what has ended removed, in the background. */
async function useMail({ gateway, sql }: Driven) {
  const email = `${newId('user')}@mail.example`
  await invoke(gateway, authTokens, 'request_verification', { ...caller(), body: { email, origin } })
  await waitUntil('the mail', async () => {
    const waiting = await sql`select from auth_tokens.messages where email = ${email}`
    return waiting.length === 0
  })
  const hash = hashCredential(newId('user'))
  await sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    select decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 hour'`
  await invoke(gateway, authTokens, 'read_verification', { ...caller(), body: { hash } })
  await invoke(gateway, authTokens, 'complete_verification', {
    ...caller(),
    body: { hash, password, origin },
  })
  await sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    select decode(${hash}, 'hex'), ${email}, now(), now() - interval '1 hour'`
  await waitUntil('the purge', async () => {
    const old = await sql`select from auth_tokens.verifications where hash = decode(${hash}, 'hex')`
    return old.length === 0
  })
}
