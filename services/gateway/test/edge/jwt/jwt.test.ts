// Our own JWTs through the whole product: when they are accepted, from when on they are refused, and what is published
// about them.

import { invoke } from '@svc/bus/invoke'
import { permissions } from '@svc/contract/core/permissions'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { ask, expectRefusal, refused } from '../../answers.ts'
import { badTokens, cheapTokens, forge, goodTokens } from './forged-tokens.ts'
import { expectRevoked, hammer } from '../../hammer.ts'
import { eachAt, internal, startJwtScene } from './jwt-scene.ts'

const rounds = Array.from({ length: sized(1, 3) }, (_, at) => at + 1)

const scene = forFile(() => startJwtScene(joinProduct))

const bearer = (token: string, workspace?: string) => ({
  authorization: `Bearer ${token}`,
  ...(workspace !== undefined && { 'svc-context': workspace }),
})

async function forgeInput() {
  const { kid, key } = await scene.activeKey()
  const claims = decodeJwt(await scene.exchange(scene.dev.owner.session_token))
  return { kid, key, claims, now: Math.floor(Date.now() / 1000) }
}

describe('a JWT', () => {
  test('is accepted by both gateways, and so are those with irrelevant differences', async () => {
    const input = await forgeInput()
    await eachAt(scene.baseUrls, goodTokens(input), async (name, token, baseUrl) => {
      const { status } = await ask(`${baseUrl}/installs`, { headers: bearer(token, scene.dev.workspace_id) })
      expect({ name, status }).toEqual({ name, status: 200 })
    })
  })

  test('that is bad in any way is refused in the same words', async () => {
    const input = await forgeInput()
    const tokens = {
      ...badTokens(input),
      ...cheapTokens(input),
      'with a scope of unknown names': forge(
        { alg: 'ES256', typ: 'at+jwt', kid: input.kid },
        { ...input.claims, scope: 'x y' },
        input.key,
      ),
      'of a session that never was': forge(
        { alg: 'ES256', typ: 'at+jwt', kid: input.kid },
        { ...input.claims, sid: 'sess_01h00000000000000000000000' },
        input.key,
      ),
      'of 15 KB': forge(
        { alg: 'ES256', typ: 'at+jwt', kid: input.kid },
        { ...input.claims, pad: 'x'.repeat(11_000) },
        input.key,
      ),
    }
    const bodies = new Set<string>()
    await eachAt(scene.baseUrls, tokens, async (name, token, baseUrl) => {
      const answer = await ask(`${baseUrl}/installs`, { headers: bearer(token, scene.dev.workspace_id) })
      expect({ name, status: answer.status }).toEqual({ name, status: 401 })
      expectRefusal(answer, refused('Unauthorized', 40102))
      bodies.add(JSON.stringify([answer.text, answer.headers.get('www-authenticate')]))
    })
    expect(bodies.size).toBe(1)
  })
})

/** What a person ends of their own. */
async function asSelf(token: string, path: string) {
  const init = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }
  expect((await ask(`${scene.baseUrls[0]}${path}`, init)).status).toBe(204)
}

describe('from the reply on', () => {
  test.each(rounds)('the JWTs of a session that has ended are refused (round %d)', async () => {
    const { session } = await scene.newMember()
    const headers = bearer(await scene.exchange(session.token), scene.dev.workspace_id)
    const outcome = await hammer(
      scene.baseUrls,
      () => headers,
      () => asSelf(session.token, '/sessions/current'),
    )
    expectRevoked(outcome, 401)
  })

  test.each(rounds)('the JWTs of a member who has left are refused (round %d)', async () => {
    const { user_id, session } = await scene.newMember()
    const headers = bearer(await scene.exchange(session.token), scene.dev.workspace_id)
    const outcome = await hammer(
      scene.baseUrls,
      () => headers,
      () => asSelf(session.token, `/workspaces/${scene.dev.workspace_id}/members/${user_id}`),
    )
    expectRevoked(outcome, 403)
  })

  test('after a rotation nothing that was issued is refused; after the removal of its key, everything', async () => {
    const { owner, workspace_id } = scene.dev
    // Both gateways have had the next key since they started.
    await scene.sql`update auth_tokens.signing_keys set created_at = created_at - interval '1 hour'`
    const before = await scene.exchange(owner.session_token)
    const { kid = '' } = decodeProtectedHeader(before)
    let latest = before
    const kids = new Set<string | undefined>()
    let rotated = false
    const { outcomes } = await hammer(
      scene.baseUrls,
      () => bearer(latest, workspace_id),
      async () => {
        const exchanging = (async () => {
          for (let after = 0; after < sized(5, 20); after += rotated ? 1 : 0) {
            latest = await scene.exchange(owner.session_token)
            kids.add(decodeProtectedHeader(latest).kid)
          }
        })()
        const answer = await invoke(scene.backoffice, authTokens, 'rotate_signing_keys', {
          caller: internal(),
        })
        rotated = true
        await exchanging
        expect(answer.retired).toBe(kid)
        expect(kids).toContain(answer.active)
      },
    )
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])

    const outcome = await hammer(
      scene.baseUrls,
      () => bearer(before, workspace_id),
      () => invoke(scene.backoffice, authTokens, 'remove_signing_key', { caller: internal(), body: { kid } }),
    )
    expectRevoked(outcome, 401)
    const { status } = await ask(`${scene.dev.base_url}/installs`, { headers: bearer(latest, workspace_id) })
    expect(status).toBe(200)
  })
})

describe('what is published', () => {
  const at = (path: string) => new URL(path, scene.dev.base_url).href

  test('says where everything is (RFC 8414)', async () => {
    const { origin } = new URL(scene.dev.base_url)
    const { status, headers, text } = await ask(at('/.well-known/oauth-authorization-server'))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(JSON.parse(text)).toEqual({
      issuer: origin,
      token_endpoint: `${origin}/oauth/token`,
      device_authorization_endpoint: `${origin}/oauth/device_authorization`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      jwks_uri: `${origin}/.well-known/jwks.json`,
      grant_types_supported: [
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      response_types_supported: [],
      scopes_supported: ['account', ...permissions],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
    })
  })

  test('is all that another resource server needs to verify a JWT', async () => {
    const { text } = await ask(at('/.well-known/oauth-authorization-server'))
    const { issuer, jwks_uri } = JSON.parse(text)
    const token = await scene.exchange(scene.dev.member.session_token)
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri)), {
      issuer,
      audience: issuer,
      typ: 'at+jwt',
    })
    expect(payload).toMatchObject({ client_id: 'svc-web' })
  })

  test('has only the public parts of keys, at every gateway', async () => {
    for (const baseUrl of scene.baseUrls) {
      const { status, headers, text } = await ask(new URL('/.well-known/jwks.json', baseUrl).href)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/jwk-set+json')
      expect(headers.get('cache-control')).toBe('public, max-age=60')
      const { keys } = JSON.parse(text)
      expect(keys.length).toBeGreaterThanOrEqual(2)
      for (const key of keys) {
        expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      }
    }
  })
})
