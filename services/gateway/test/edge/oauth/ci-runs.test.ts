// A run of a CI job through the whole product: from an attempt to a trust to a token, and to its end.
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { startOutsideProvider } from '../jwt/outside-provider.ts'
import { claimsOf, idTokenType, type Kind, type RunIssuers, startRunIssuers } from './ci-scene.ts'
import { tokenExchangeGrant } from './oauth-scene.ts'

let product: Product
let issuers: RunIssuers
let gateway: GatewayHere

beforeAll(async () => {
  ;[product, issuers] = await Promise.all([joinProduct(), startRunIssuers()])
  gateway = await startGatewayHere(product, { workloads: issuers.workloads })
})
afterAll(async () => {
  await gateway?.stop()
  await issuers?.stop()
  await product?.stop()
})

async function exchange(subject_token: string, more: Record<string, string> = {}, { url } = gateway) {
  const form = { grant_type: tokenExchangeGrant, subject_token, subject_token_type: idTokenType, ...more }
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

async function send(
  token: string,
  method: string,
  path: string,
  body?: unknown,
  baseUrl = product.baseUrls[0],
) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(token === product.dev.owner.session_token && { 'svc-context': product.dev.workspace_id }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const asOwner = (method: string, path: string, body?: unknown) =>
  send(product.dev.owner.session_token, method, path, body)
const audience = () => `${new URL(product.dev.base_url).origin}/${product.dev.workspace_id}`

const pinned = {
  github: ['repository_id', 'repository_owner_id', 'workflow_ref'],
  gitlab: ['project_id', 'namespace_id', 'ci_config_ref_uri', 'ref_protected'],
}
const pinsOf = (kind: Kind) =>
  Object.fromEntries(pinned[kind].map(name => [name, claimsOf[kind][name as never] as string]))

async function newTrust(kind: Kind, more: object = {}) {
  const { status, body } = await asOwner('POST', '/ci_trusts', {
    name: 'release',
    issuer: issuers.issuerOf(kind),
    claims: pinsOf(kind),
    permissions: 'ci',
    ...more,
  })
  expect(status).toBe(201)
  return body as { id: string }
}

const strange: Record<Kind, Record<string, Record<string, string>>> = {
  github: {
    'a fork': { repository_id: '3', repository_owner_id: '4', repository: 'mallory/shop' },
    'a repository under the name of a renamed one': { repository_id: '3' },
    'another branch': { workflow_ref: claimsOf.github.workflow_ref.replace('main', 'dev') },
  },
  gitlab: {
    'a fork': { project_id: '3', namespace_id: '4', project_path: 'mallory/shop' },
    'a project under the path of a renamed one': { project_id: '3' },
    'another branch': { ci_config_ref_uri: claimsOf.gitlab.ci_config_ref_uri.replace('main', 'dev') },
    'a branch that is not protected': { ref_protected: 'false' },
  },
}

describe.each<Kind>(['github', 'gitlab'])('a run of %s', kind => {
  test('gets nothing before it is trusted, is shown to owners, and publishes an offer once it is', async () => {
    const refused = await exchange(await issuers.token(kind, audience()))
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request'])
    expect(refused.body.error_description).toContain(`/console/${product.dev.workspace_id}/tokens/ci`)
    const { body: attempts } = await asOwner('GET', '/ci_attempts')
    const attempt = attempts.data.find((one: { issuer: string }) => one.issuer === issuers.issuerOf(kind))
    expect(attempt.suggested_claims).toEqual(pinned[kind])
    expect(attempt.claims).not.toHaveProperty('user_email')
    const claims = Object.fromEntries(
      attempt.suggested_claims.map((name: string) => [name, attempt.claims[name]]),
    )
    expect(claims).toEqual(pinsOf(kind))

    const trust = await newTrust(kind, { claims })
    const issued = await exchange(await issuers.token(kind, audience()))
    expect(issued).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^sk_svc_/),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'catalogue:read catalogue:write offers:read offers:write',
      },
    })
    const token = issued.body.access_token ?? ''
    const offer = { product_id: product.dev.product_id }
    expect((await send(token, 'POST', '/offers', offer)).status).toBe(201)
    expect(await send(token, 'GET', '/orders')).toMatchObject({
      status: 403,
      body: { errors: [{ code: 40307, metadata: { permission: 'orders:read' } }] },
    })
    expect((await asOwner('DELETE', `/ci_trusts/${trust.id}`)).status).toBe(204)
    for (const baseUrl of product.baseUrls) {
      expect((await send(token, 'POST', '/offers', offer, baseUrl)).status).toBe(401)
    }
  })

  test('gets one token for an ID token, and none in another place or for another audience', async () => {
    const trust = await newTrust(kind)
    const idToken = await issuers.token(kind, audience())
    expect((await exchange(idToken)).status).toBe(200)
    const again = await exchange(idToken)
    expect([again.status, again.body.error_description]).toEqual([
      400,
      expect.stringContaining('exchanged before'),
    ])
    for (const [place, claims] of Object.entries(strange[kind])) {
      const { status, body } = await exchange(await issuers.token(kind, audience(), claims))
      expect([place, status, body.error_description]).toEqual([
        place,
        400,
        expect.stringMatching(/^No CI trust/),
      ])
    }
    const { other_workspace_id, workspace_id } = product.dev
    for (const aud of [
      audience().replace(workspace_id, other_workspace_id),
      'https://gitlab.com',
      product.dev.base_url,
    ]) {
      expect((await exchange(await issuers.token(kind, aud))).body).not.toHaveProperty('access_token')
    }
    expect((await asOwner('DELETE', `/ci_trusts/${trust.id}`)).status).toBe(204)
  })
})

test('a run asks for part of what its trust permits, and for nothing else', async () => {
  const trust = await newTrust('github')
  const ask = async (more: Record<string, string>, idToken: string) => {
    const { body } = await exchange(idToken, more)
    return body.scope ?? body.error
  }
  const idToken = await issuers.token('github', audience())
  for (const scope of ['orders:read', 'offers:read orders:read', 'account', 'offers:everything'])
    expect(await ask({ scope }, idToken)).toBe('invalid_scope')
  const jwt = { requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' }
  expect(await ask(jwt, idToken)).toBe('invalid_request')
  // What was refused has not used the ID token up.
  const { body } = await exchange(idToken, { scope: 'offers:read' })
  expect(body.scope).toBe('offers:read')
  expect((await send(body.access_token ?? '', 'GET', '/offers')).status).toBe(200)
  expect((await send(body.access_token ?? '', 'GET', '/products')).status).toBe(403)
  await asOwner('DELETE', `/ci_trusts/${trust.id}`)
})

test('a run that an OpenID provider vouches for gets a token, and an access token of the provider gets none', async () => {
  const issuer = issuers.issuerOf('gitlab')
  const provider = await startOutsideProvider(issuer)
  onTestFinished(() => provider.stop())
  const workloads = (JSON.parse(issuers.workloads) as { issuer: string }[]).map(workload =>
    workload.issuer === issuer ? { ...workload, jwks_uri: provider.jwksUri } : workload,
  )
  const own = await startGatewayHere(product, { workloads: JSON.stringify(workloads) })
  onTestFinished(() => own.stop())
  const trust = await newTrust('gitlab')
  const outcome = async (claims: object, typ?: string) => {
    const { body } = await exchange(await provider.token(claims, audience(), typ), {}, own)
    return body.scope ?? body.error_description
  }
  expect(await outcome(claimsOf.gitlab, 'JWT')).toContain('offers:write')
  expect(await outcome(claimsOf.gitlab)).not.toContain('offers:write')
  expect(await outcome({ ...claimsOf.gitlab, project_id: '3' }, 'JWT')).toMatch(/^No CI trust/)
  await asOwner('DELETE', `/ci_trusts/${trust.id}`)
})
