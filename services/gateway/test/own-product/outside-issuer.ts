// JWTs of an outside issuer, a real OpenID provider: for whom they act, changes of its keys, and its absence.
import { waitUntil } from '@svc/local/wait-until'
import { createLog } from '@svc/runtime/log'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIssuers } from '../../src/edge/jwt/issuers.ts'
import { trustedIssuers } from '../../src/edge/jwt/trusted-issuers.ts'
import { createVerifyToken } from '../../src/edge/jwt/verify-token.ts'
import { ask, expectRefusal, refused } from '../answers.ts'
import { forge } from '../edge/jwt/forged-tokens.ts'
import { startGatewayHere } from '../gateway-here.ts'
import { audience } from '../edge/jwt/outside-provider.ts'
import { provider, running, trusted } from './scene.ts'

beforeAll(async () => {
  const { owner, member, stranger } = running.dev
  await running.sql`
    update auth_tokens.users set verified_at = now() where email = any(${[owner.email, stranger.email]})`
  await running.sql`update auth_tokens.users set verified_at = null where email = ${member.email}`
  for (const baseUrl of running.baseUrls) await keysRead(baseUrl)
})

const installs = (token: string, workspace?: string, baseUrl = running.dev.base_url) =>
  ask(`${baseUrl}/installs`, {
    headers: { authorization: `Bearer ${token}`, ...(workspace && { 'svc-context': workspace }) },
  })

/** A gateway that started while the machine was busy reads the issuer's keys at its second attempt. */
const keysRead = async (baseUrl: string) => {
  const token = await provider.token({ email: running.dev.owner.email, email_verified: true })
  const accepted = async () => (await installs(token, running.dev.workspace_id, baseUrl)).status === 200
  await waitUntil('the keys of the issuer', accepted, { everyMs: 100 })
}

describe('a JWT of the outside issuer', () => {
  test("acts for the user with the address that it names, in that user's workspaces", async () => {
    const { owner, workspace_id, other_workspace_id } = running.dev
    const token = await provider.token({ email: owner.email, email_verified: true })
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
    for (const baseUrl of running.baseUrls) {
      expect((await installs(token, workspace_id, baseUrl)).status).toBe(200)
      expectRefusal(await installs(token, undefined, baseUrl), refused('Forbidden', 40301))
      expectRefusal(await installs(token, other_workspace_id, baseUrl), refused('Forbidden', 40303))
      expectRefusal(await installs(token, 'nope', baseUrl), refused('Validation', 40003))
    }
  })

  test('has the role that the user has', async () => {
    const { owner, workspace_id, base_url } = running.dev
    const auth_time = Math.floor(Date.now() / 1000)
    const token = await provider.token({ email: owner.email.toUpperCase(), email_verified: true, auth_time })
    const answer = await ask(`${base_url}/api_tokens`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'svc-context': workspace_id,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'from outside' }),
    })
    expect(answer.status).toBe(201)
    const strange = await provider.token({ email: running.dev.stranger.email, email_verified: true })
    expectRefusal(await installs(strange, workspace_id), refused('Forbidden', 40303))
  })

  test.each<[string, () => object]>([
    ['an address that nobody has', () => ({ email: 'nobody@demo.example', email_verified: true })],
    ['an address that is not proven here', () => ({ email: running.dev.member.email, email_verified: true })],
    ['an address of which its issuer does not say whether', () => ({ email: running.dev.owner.email })],
    [
      'an address that its issuer has not verified',
      () => ({ email: running.dev.owner.email, email_verified: false }),
    ],
    [
      'an address that is verified in words',
      () => ({ email: running.dev.owner.email, email_verified: 'true' }),
    ],
    ['no address', () => ({ email_verified: true })],
    ['an address under another name', () => ({ mail: running.dev.owner.email, email_verified: true })],
    ['no address but text', () => ({ email: 'owner', email_verified: true })],
    ['several addresses', () => ({ email: [running.dev.owner.email], email_verified: true })],
    ['an empty address', () => ({ email: '', email_verified: true })],
    ['a number', () => ({ email: 1, email_verified: true })],
  ])('is refused with %s', async (_name, claims) => {
    const token = await provider.token({ ...claims(), sub: 'someone' })
    const [answer, beside] = await Promise.all([
      installs(token, running.dev.workspace_id),
      installs(running.dev.api_token),
    ])
    expectRefusal(answer, refused('Unauthorized', 40102))
    expect(beside.status).toBe(200)
  })

  test('with another audience is refused', async () => {
    const claims = { email: running.dev.owner.email, email_verified: true }
    const token = await provider.token(claims, 'https://another.test/')
    expectRefusal(await installs(token, running.dev.workspace_id), refused('Unauthorized', 40102))
  })

  test('that names us as issuer is refused, and so is one of ours that names it', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const token = await provider.token({ email: running.dev.owner.email, email_verified: true })
    const header = decodeProtectedHeader(token)
    const claims = decodeJwt(token)
    const [row] = await running.sql`select kid from auth_tokens.signing_keys where state = 'active'`
    const { origin } = new URL(running.dev.base_url)
    for (const forged of [
      forge({ ...header, kid: row?.kid }, { ...claims, iss: origin, aud: origin, sid: 'sess_1' }, privateKey),
      forge({ ...header, kid: row?.kid }, claims, privateKey),
      forge(header, { ...claims, iss: origin, aud: origin }, privateKey),
    ]) {
      expectRefusal(await installs(forged, running.dev.workspace_id), refused('Unauthorized', 40102))
    }
  })
})

test.each<[string, object, object, string | undefined]>([
  ['another claim', { email_claim: 'mail' }, { mail: 'a@b.example', email_verified: true }, 'a@b.example'],
  ['another claim, not verified', { email_claim: 'mail' }, { mail: 'a@b.example' }, undefined],
  [
    'another claim, where the operator vouches for the issuer',
    { email_claim: 'mail', require_email_verified: false },
    { mail: 'a@b.example', email: 'c@d.example' },
    'a@b.example',
  ],
])('the address is taken from %s', async (_name, entry, claims, email) => {
  const entries = [{ issuer: provider.issuer, audience, jwks_uri: provider.jwksUri, ...entry }]
  const issuers = createIssuers({
    call: () => Promise.reject(new Error('not needed')),
    publicUrl: 'https://svc.test',
    trusted: trustedIssuers.parse(JSON.stringify(entries)),
    now: Date.now,
    log: createLog('test', 'silent'),
  })
  try {
    const verify = createVerifyToken({ issuers: issuers.byName, now: Date.now, maxVerifying: 10 })
    const verified = verify(await provider.token(claims))
    if (email) expect(await verified).toEqual({ kind: 'outside', email })
    else await expect(verified).rejects.toMatchObject({ reason: 'credential_invalid' })
  } finally {
    issuers.stop()
  }
})

describe('at a gateway with a movable clock', () => {
  let aheadMs = 0
  /** When the clock stopped. It goes on for as long as a new token takes, which would be from the future otherwise. */
  let stoodAt: number | undefined
  let baseUrl: string
  let stop: () => Promise<void>
  beforeAll(async () => {
    const gateway = await startGatewayHere(running, { trusted, now: () => (stoodAt ?? Date.now()) + aheadMs })
    baseUrl = `${gateway.url}/v1`
    await keysRead(baseUrl)
    stop = gateway.stop
  })
  afterAll(() => stop?.())

  async function newToken() {
    const token = await provider.token({ email: running.dev.owner.email, email_verified: true })
    stoodAt = Date.now()
    return token
  }
  const status = async (token: string) => (await installs(token, running.dev.workspace_id, baseUrl)).status

  test('a key of the issuer is accepted from its first use until it is gone', async () => {
    const first = await newToken()
    expect(await status(first)).toBe(200)
    await provider.rotate({ keep: true })
    const second = await newToken()
    expect(decodeProtectedHeader(second).kid).not.toBe(decodeProtectedHeader(first).kid)

    aheadMs += 30_000
    const requests = provider.jwksRequests()
    expect(await status(second)).toBe(200)
    expect(await status(first)).toBe(200)
    expect(provider.jwksRequests()).toBe(requests + 1)

    await provider.rotate({ keep: false })
    const third = await newToken()
    aheadMs += 30_000
    expect(await status(third)).toBe(200)
    expect(await status(first)).toBe(401)
    expect(await status(second)).toBe(401)
  })

  test('while the issuer is down its known keys work, and an unknown one is refused', async () => {
    const [kept, fresh] = [await newToken(), await newToken()]
    expect(await status(kept)).toBe(200)
    await provider.rotate({ keep: true })
    const unknown = await newToken()
    await provider.stop()
    try {
      aheadMs += 30_000
      expect(await status(unknown)).toBe(401)
      expect(await status(kept)).toBe(200)
      expect(await status(fresh)).toBe(200)
      expect(await status(unknown)).toBe(401)
    } finally {
      await provider.start()
    }
    expect(await status(unknown)).toBe(401)
    aheadMs += 30_000
    expect(await status(unknown)).toBe(200)
  })
})
