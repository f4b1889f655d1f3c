// A run of a CI job through the whole product: from an attempt to a trust to a token, and to its end.
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
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

async function exchange(subject_token: string, more: Record<string, string> = {}) {
  const form = { grant_type: tokenExchangeGrant, subject_token, subject_token_type: idTokenType, ...more }
  const response = await fetch(`${gateway.url}/oauth/token`, {
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
})
