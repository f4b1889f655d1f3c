// Credential kind × Svc-Context × role × operation. The expected answers follow docs/specification.md, R9 to R14, not
// the code.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { createApiToken, createSessionToken, hashCredential } from '@svc/runtime/credential'
import { maskOf, permissions } from '@svc/contract/core/permissions'
import { newId } from '@svc/runtime/id'
import { insertMember } from '@svc/testing/members'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, type Refusal, refused } from '../../answers.ts'
import { httpOperations, prepareCluster, sampleOf } from '../../samples.ts'

const stack = forFile(joinProduct)
let etag: string
const credentials: Record<string, string | undefined> = {}

beforeAll(async () => {
  const { dev } = stack
  etag = await prepareCluster(dev)
  const hash = (text: string) => Buffer.from(hashCredential(text), 'hex')
  const newToken = async () => {
    const { token } = await invoke(stack.backoffice, authTokens, 'create_api_token', {
      caller: { kind: 'internal', id: 'test', workspace: dev.workspace_id },
      body: { name: 'matrix' },
    })
    return token
  }
  const newSession = async () => {
    const [owner] = await stack.sql`select id from auth_tokens.users where email = ${dev.owner.email}`
    const caller = { kind: 'internal', id: 'test' } as const
    return invoke(stack.backoffice, authTokens, 'create_session', { caller, body: { user_id: owner?.id } })
  }
  const expiredToken = await newToken()
  await stack.sql`update auth_tokens.api_tokens set expires_at = now() - interval '1 s' where hash = ${hash(expiredToken)}`
  const expiredSession = (await newSession()).token
  await stack.sql`update auth_tokens.sessions set expires_at = now() - interval '1 s' where hash = ${hash(expiredSession)}`
  const agedSession = (await newSession()).token
  await stack.sql`update auth_tokens.sessions set created_at = now() - interval '181 days' where hash = ${hash(agedSession)}`
  const revokedToken = await newToken()
  await stack.sql`delete from auth_tokens.api_tokens where hash = ${hash(revokedToken)}`
  const revokedSession = await newSession()
  await stack.sql`delete from auth_tokens.sessions where id = ${revokedSession.id}`
  const longAgo = (await newSession()).token
  await stack.sql`update auth_tokens.sessions set auth_time = now() - interval '11 minutes' where hash = ${hash(longAgo)}`
  const ended = await newSession()
  const endedJwt = await exchanged(ended.token)
  await stack.sql`delete from auth_tokens.sessions where id = ${ended.id}`
  // Somebody else's, since those above end each other's sessions.
  const user_id = newId('user')
  await stack.sql`insert into auth_tokens.users (id, email) values (${user_id}, ${`${user_id}@test.example`})`
  await insertMember(stack.sql, { workspace: dev.workspace_id, user: user_id, role: 'member' })
  const caller = { kind: 'internal', id: 'test' } as const
  const bound = await invoke(stack.backoffice, authTokens, 'create_session', { caller, body: { user_id } })
  await stack.sql`
    update auth_tokens.sessions set workspace_id = ${dev.workspace_id}, can = ${maskOf(permissions)} where id = ${bound.id}`
  const last = dev.api_token.at(-1)
  Object.assign(credentials, {
    none: undefined,
    'another scheme': `Basic ${dev.api_token}`,
    'Bearer alone': 'Bearer',
    malformed: 'Bearer nonsense',
    'of 33 characters': `Bearer ${dev.owner.session_token}0`,
    'mistyped API token': `Bearer ${dev.api_token.slice(0, -1)}${last === '0' ? '1' : '0'}`,
    'unknown API token': `Bearer ${createApiToken()}`,
    'unknown session': `Bearer ${createSessionToken()}`,
    'expired API token': `Bearer ${expiredToken}`,
    'expired session': `Bearer ${expiredSession}`,
    'session older than 180 days': `Bearer ${agedSession}`,
    'revoked API token': `Bearer ${revokedToken}`,
    'revoked session': `Bearer ${revokedSession.token}`,
    'unsigned JWT': 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJl',
    'API token': `Bearer ${dev.api_token}`,
    'session of the owner': `Bearer ${dev.owner.session_token}`,
    'old session of the owner': `Bearer ${longAgo}`,
    'JWT of an old session of the owner': `Bearer ${await exchanged(longAgo)}`,
    'session of an admin': `Bearer ${dev.admin.session_token}`,
    'session of a member': `Bearer ${dev.member.session_token}`,
    'session of a stranger': `Bearer ${dev.stranger.session_token}`,
    'JWT of the owner': `Bearer ${await exchanged(dev.owner.session_token)}`,
    'JWT of a member': `Bearer ${await exchanged(dev.member.session_token)}`,
    'JWT of a stranger': `Bearer ${await exchanged(dev.stranger.session_token)}`,
    'JWT of an ended session': `Bearer ${endedJwt}`,
    'JWT of an API token': `Bearer ${await exchanged(dev.api_token)}`,
    'bound session of a member': `Bearer ${bound.token}`,
    'JWT of a bound session': `Bearer ${await exchanged(bound.token)}`,
  })
})

/** A session or API token exchanged for a JWT (RFC 8693). */
async function exchanged(subject_token: string): Promise<string> {
  const answer = await fetch(new URL('/oauth/token', stack.dev.base_url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

type Role = 'owner' | 'admin' | 'member'

/**
 * How the rules classify a credential: not sent, of an unknown scheme, invalid, of one workspace, a session that is bound
 * to it with all permissions, or broad with a role in it.
 */
interface Credential {
  readonly is: 'not sent' | 'missing' | 'invalid' | 'api_token' | 'bound' | 'broad'
  readonly role?: Role
  /** The person proved who they are more than ten minutes ago. */
  readonly isOld?: true
}

const known: Record<string, Credential> = {
  none: { is: 'not sent' },
  'another scheme': { is: 'missing' },
  'Bearer alone': { is: 'missing' },
  malformed: { is: 'invalid' },
  'of 33 characters': { is: 'invalid' },
  'mistyped API token': { is: 'invalid' },
  'unknown API token': { is: 'invalid' },
  'unknown session': { is: 'invalid' },
  'expired API token': { is: 'invalid' },
  'expired session': { is: 'invalid' },
  'session older than 180 days': { is: 'invalid' },
  'revoked API token': { is: 'invalid' },
  'revoked session': { is: 'invalid' },
  'unsigned JWT': { is: 'invalid' },
  'JWT of an ended session': { is: 'invalid' },
  'API token': { is: 'api_token', role: 'member' },
  'session of the owner': { is: 'broad', role: 'owner' },
  'old session of the owner': { is: 'broad', role: 'owner', isOld: true },
  'JWT of an old session of the owner': { is: 'broad', role: 'owner', isOld: true },
  'session of an admin': { is: 'broad', role: 'admin' },
  'session of a member': { is: 'broad', role: 'member' },
  'session of a stranger': { is: 'broad' },
  'JWT of the owner': { is: 'broad', role: 'owner' },
  'JWT of a member': { is: 'broad', role: 'member' },
  'JWT of a stranger': { is: 'broad' },
  'JWT of an API token': { is: 'api_token', role: 'member' },
  'bound session of a member': { is: 'bound', role: 'member' },
  'JWT of a bound session': { is: 'bound', role: 'member' },
}

type Context = 'none' | 'own' | 'foreign' | 'malformed'

const contexts: Record<string, { readonly is: Context; readonly value: () => string | undefined }> = {
  none: { is: 'none', value: () => undefined },
  own: { is: 'own', value: () => stack.dev.workspace_id },
  other: { is: 'foreign', value: () => stack.dev.other_workspace_id },
  unknown: { is: 'foreign', value: () => 'ws_01h00000000000000000000000' },
  empty: { is: 'malformed', value: () => '' },
  'without prefix': { is: 'malformed', value: () => 'nope' },
  'prefix alone': { is: 'malformed', value: () => 'ws_' },
  'of 54 characters': { is: 'malformed', value: () => `ws_${'0'.repeat(51)}` },
  'two in one': {
    is: 'malformed',
    value: () => `${stack.dev.workspace_id}, ${stack.dev.other_workspace_id}`,
  },
}

/**
 * Only these are for the workspace's owner or admin: keys, members, clusters, where events are sent, and permanent deletion. The rest is for
 * members.
 */
const administrative = new Set([
  'POST /api_tokens',
  'PATCH /api_tokens/{id}',
  'DELETE /api_tokens/{id}',
  'DELETE /api_tokens/{id}/previous_secret',
  'POST /api_tokens/{id}/rotate',
  'POST /ci_trusts',
  'GET /ci_trusts',
  'GET /ci_trusts/{id}',
  'DELETE /ci_trusts/{id}',
  'GET /ci_attempts',
  'DELETE /packages/{id}',
  'DELETE /products/{id}',
  'DELETE /offer_channels/{id}',
  'POST /installs/{id}/credential',
  'POST /installs/{id}/cancel_subscription',
  'POST /installs/{id}/resume_subscription',
  'POST /installs/{id}/billing_portal',
  'POST /clusters',
  'PATCH /clusters/{id}',
  'DELETE /clusters/{id}',
  'POST /clusters/{id}/agent_secret',
  'DELETE /clusters/{id}/agent_secret',
  'GET /audit_log',
  'POST /webhook_endpoints',
  'GET /webhook_endpoints',
  'GET /webhook_endpoints/{id}',
  'PATCH /webhook_endpoints/{id}',
  'DELETE /webhook_endpoints/{id}',
  'POST /webhook_endpoints/{id}/rotate_secret',
  'POST /webhook_endpoints/{id}/pause',
  'POST /webhook_endpoints/{id}/resume',
  'POST /webhook_endpoints/{id}/test',
  'GET /webhook_endpoints/{id}/deliveries',
  'GET /webhook_endpoints/{id}/deliveries/{delivery_id}',
  'POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver',
  'PATCH /workspaces/{id}',
  'POST /workspaces/{id}/members',
  'GET /workspaces/{id}/invitations',
  'DELETE /workspaces/{id}/invitations/{invitation_id}',
  'PATCH /workspaces/{id}/members/{user_id}',
  'DELETE /workspaces/{id}/members/{user_id}',
])

const ownersOnly = new Set(['DELETE /workspaces/{id}', 'POST /workspaces/{id}/licence_keys/rotate'])

interface OfThePerson {
  readonly apiToken?: true
  /** Also for a session that is bound to a workspace. */
  readonly bound?: true
  readonly workspaceInPath?: true
}

/** These act in no workspace, or in the one in the path, for which the role counts. Svc-Context is checked if it is sent. */
const ofThePerson: Record<string, OfThePerson> = {
  'GET /i/{short_hash}': { apiToken: true, bound: true },
  'GET /sessions': { bound: true },
  'DELETE /sessions': {},
  'POST /sessions/current/confirmation': { bound: true },
  'DELETE /sessions/{id}': { bound: true },
  'GET /user': {},
  'PATCH /user': {},
  'POST /workspaces': {},
  'GET /workspaces': { apiToken: true, bound: true },
  'GET /workspaces/{id}/members': { apiToken: true, workspaceInPath: true },
  'PATCH /workspaces/{id}': { workspaceInPath: true },
  'DELETE /workspaces/{id}': { workspaceInPath: true },
  'POST /workspaces/{id}/licence_keys/rotate': { workspaceInPath: true },
  'POST /workspaces/{id}/members': { workspaceInPath: true },
  'GET /workspaces/{id}/invitations': { workspaceInPath: true },
  'DELETE /workspaces/{id}/invitations/{invitation_id}': { workspaceInPath: true },
  'GET /workspaces/{id}/mail_preferences': { workspaceInPath: true },
  'PATCH /workspaces/{id}/mail_preferences': { workspaceInPath: true },
  'GET /invitations': {},
  'POST /invitations/{id}/accept': {},
  'POST /invitations/{id}/decline': {},
  'PATCH /workspaces/{id}/members/{user_id}': { workspaceInPath: true },
  'DELETE /workspaces/{id}/members/{user_id}': { workspaceInPath: true },
}

/** Callers without a credential are admitted as anonymous, whatever Svc-Context says. */
const openToAll = new Set(['GET /i/{short_hash}'])

/**
 * The caller is identified by a signature over the body, by an install's own credential, or not at all. Other credentials are
 * ignored.
 */
const signed = new Set([
  'POST /webhooks/stripe',
  'GET /installs/{id}/field_values',
  'GET /installs/{id}/licence',
  'GET /workspaces/{id}/licence_keys',
])

/** What gives lasting access, for whoever may do it: docs/specification.md, R93. That the samples make no owner asks for nothing. */
const confirmed = new Set([
  'POST /api_tokens',
  'POST /api_tokens/{id}/rotate',
  'POST /clusters/{id}/agent_secret',
  'POST /webhook_endpoints',
  'POST /webhook_endpoints/{id}/rotate_secret',
  'POST /workspaces/{id}/licence_keys/rotate',
])

const stepUp = refused('Unauthorized', 40104)
const kindOfCredential = refused('Forbidden', 40305)
const permissionMissing = refused('Forbidden', 40307)
const notAMember = refused('Forbidden', 40303)
const roleTooLow = refused('Forbidden', 40304)
const malformedContext = refused('Validation', 40003)

/** docs/specification.md, R9 to R13, in the order 401, 403, 400. Undefined: admitted. */
function expectedRefusal(operation: string, credential: Credential, context: Context): Refusal | undefined {
  if (signed.has(operation)) return undefined
  if (credential.is === 'not sent')
    return openToAll.has(operation) ? undefined : refused('Unauthorized', 40101)
  if (credential.is === 'missing') return refused('Unauthorized', 40101)
  if (credential.is === 'invalid') return refused('Unauthorized', 40102)
  const mayNot =
    (administrative.has(operation) && credential.role === 'member') ||
    (ownersOnly.has(operation) && credential.role !== 'owner')
  const personal = ofThePerson[operation]
  if (personal) {
    if (credential.is === 'api_token') {
      if (context === 'foreign') return refused('Forbidden', 40302)
      if (!personal.apiToken) return kindOfCredential
    }
    if (credential.is === 'bound') {
      if (context === 'foreign') return refused('Forbidden', 40302)
      if (!personal.bound && !personal.workspaceInPath) return permissionMissing
    }
    // A stranger is not a member anywhere, so the demo's workspace is foreign to them.
    const inPath = personal.workspaceInPath && credential.role
    if (context === 'foreign') return inPath ? refused('Forbidden', 40302) : notAMember
    if (context === 'own' && !credential.role) return notAMember
    if (context === 'malformed') return malformedContext
    if (personal.workspaceInPath && !credential.role) return notAMember
    if (mayNot) return roleTooLow
    return credential.isOld && confirmed.has(operation) ? stepUp : undefined
  }
  if (credential.is === 'bound') {
    if (context === 'foreign') return refused('Forbidden', 40302)
    if (context === 'malformed') return malformedContext
    return mayNot ? roleTooLow : undefined
  }
  if (credential.is === 'api_token') {
    if (context === 'foreign') return refused('Forbidden', 40302)
    if (mayNot) return roleTooLow
    return context === 'malformed' ? malformedContext : undefined
  }
  if (context === 'none') return refused('Forbidden', 40301)
  if (context === 'malformed') return malformedContext
  if (context === 'foreign' || !credential.role) return notAMember
  if (mayNot) return roleTooLow
  return credential.isOld && confirmed.has(operation) ? stepUp : undefined
}

async function request(operation: string, method: string, credential: string, context: string) {
  const { path, headers, body, status } = sampleOf(operation, { dev: stack.dev, etag })
  const authorization = credentials[credential]
  const workspace = contexts[context]?.value()
  const send = () =>
    ask(stack.dev.base_url + path, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
        ...(workspace !== undefined && { 'svc-context': workspace }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  let answer = await send()
  // Files that share the product may have taken all places where schemas are checked.
  while (answer.status === 503) answer = await send()
  return { answer, success: status }
}

const atOnce = 8

async function inBatches<T>(cells: readonly T[], send: (cell: T) => Promise<void>) {
  for (let at = 0; at < cells.length; at += atOnce) await Promise.all(cells.slice(at, at + atOnce).map(send))
}

// In `npm test` each cell is tried at one operation: every credential with every context.
const cellsOf = (n: number) =>
  Object.entries(known).flatMap(([credential, properties], row) =>
    Object.entries(contexts)
      .filter((_, column, { length }) => everything || (row * length + column) % httpOperations.length === n)
      .map(([context, { is }]) => ({ credential, properties, context, is })),
  )

describe.each(httpOperations.map((one, n) => ({ ...one, n })))('$name', ({ name, method, n }) => {
  test('answers each credential with each Svc-Context as the table says', async () => {
    const cells = cellsOf(n).map(cell => ({
      ...cell,
      refusal: expectedRefusal(name, cell.properties, cell.is),
    }))
    const check = async ({ credential, context, refusal }: (typeof cells)[number]) => {
      const { answer, success } = await request(name, method, credential, context)
      const about = `the credential "${credential}" with Svc-Context "${context}"`
      expect([about, answer.status]).toEqual([about, refusal?.status ?? success])
      if (refusal) expectRefusal(answer, refusal)
      expect(answer.headers.get('svc-request-id')).toMatch(/^req_/)
    }
    await inBatches(
      cells.filter(({ refusal }) => refusal),
      check,
    )
    for (const cell of cells) if (!cell.refusal) await check(cell)
  })

  test("answers for an unknown workspace exactly as for another's, whoever asks", async () => {
    const asking = Object.keys(known).filter(
      (_, row) => everything || (n + row) % Object.keys(known).length === 0,
    )
    await inBatches(asking, async credential => {
      const foreign = await request(name, method, credential, 'other')
      const unknown = await request(name, method, credential, 'unknown')
      expect([credential, comparable(unknown.answer)]).toEqual([credential, comparable(foreign.answer)])
    })
  })

  test.skipIf(signed.has(name))('does not reveal why a credential is invalid', async () => {
    const invalid = Object.keys(known)
      .filter(credential => known[credential]?.is === 'invalid')
      .filter((_, row, { length }) => everything || (n + row) % length < 2)
    const answers = await Promise.all(
      invalid.map(async credential => comparable((await request(name, method, credential, 'own')).answer)),
    )
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.challenge).toBe('Bearer error="invalid_token"')
  })

  test.skipIf(signed.has(name))(
    'refuses callers without permission before it looks at the input',
    async () => {
      const { path } = sampleOf(name, { dev: stack.dev, etag })
      const broken = {
        method,
        headers: { 'content-type': 'text/plain', 'if-match': '*', 'idempotency-key': 'k'.repeat(65) },
        body: method === 'GET' ? undefined : '{',
      }
      const url = `${stack.dev.base_url}${path}${path.includes('?') ? '&' : '?'}limit=0&unknown=1`
      const by = (credential: string) => ({ authorization: credentials[credential] ?? '' })
      const elsewhere = { ...by('session of the owner'), 'svc-context': stack.dev.other_workspace_id }
      const { workspaceInPath } = ofThePerson[name] ?? {}
      const refusals: [Record<string, string>, Refusal][] = [
        [{}, openToAll.has(name) ? refused('Validation', 40004) : refused('Unauthorized', 40101)],
        [{ authorization: 'Basic YTpi' }, refused('Unauthorized', 40101)],
        [elsewhere, workspaceInPath ? refused('Forbidden', 40302) : notAMember],
      ]
      if (!ofThePerson[name]) refusals.push([by('session of the owner'), refused('Forbidden', 40301)])
      if (workspaceInPath) refusals.push([by('session of a stranger'), notAMember])
      // In `npm test` every other one, in turn.
      for (const [at, [headers, refusal]] of refusals.entries()) {
        if (!everything && (n + at) % 2) continue
        expectRefusal(await ask(url, { ...broken, headers: { ...broken.headers, ...headers } }), refusal)
      }
    },
  )
})

test('a Svc-Context that differs from the workspace of the path is reported as such to callers who may act in both', async () => {
  const { dev } = stack
  const headers = { authorization: `Bearer ${dev.owner.session_token}` }
  const created = await ask(`${dev.base_url}/workspaces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'second' }),
  })
  const { id } = JSON.parse(created.text)
  const answer = await ask(`${dev.base_url}/workspaces/${id}/members`, {
    headers: { ...headers, 'svc-context': dev.workspace_id },
  })
  expect(expectRefusal(answer, refused('Forbidden', 40302))?.message).toContain(
    'a workspace other than the one in the path',
  )
})

function comparable({ status, headers, text }: Answered) {
  return { status, challenge: headers.get('www-authenticate'), text }
}
