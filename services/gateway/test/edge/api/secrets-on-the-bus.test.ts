// Only the SHA-256 of a secret leaves the gateway, so nothing behind it can take longer for one that is nearly right.

import type { CallRequest } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import { freePort } from '@svc/local/free-port'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { createLog } from '@svc/runtime/log'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createResolvers } from '../../../src/edge/admit/credentials.ts'
import { createServer } from '../../../src/server.ts'
import {
  accessTokenType,
  deviceCodeGrant,
  form,
  oauthScene,
  tokenExchangeGrant,
} from '../oauth/oauth-scene.ts'

const scene = oauthScene(joinProduct)
const sent: CallRequest[] = []
let gateway: ReturnType<typeof createServer>
let base: string
beforeAll(async () => {
  const call: typeof scene.call = request => {
    sent.push(request)
    return scene.call(request)
  }
  gateway = createServer({
    call,
    ...createResolvers({
      call,
      verifyToken: () => Promise.reject(refusal('credential_invalid')),
      maxPending: 100,
    }),
    connected: () => true,
    publicUrl: scene.base(),
    trustedProxies: [],
    signingKeys: () => undefined,
    maxInFlight: 100,
    log: createLog('test', 'silent'),
  })
  base = await gateway.listen({ port: await freePort(), host: '127.0.0.1' })
})
afterAll(() => gateway?.close())
beforeEach(() => {
  sent.length = 0
})

const post = async (path: string, parameters: Record<string, string>) => {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': form },
    body: String(new URLSearchParams(parameters)),
  })
  return response.text()
}
const client_id = 'svc-cli'
const ways: [string, (secret: string) => Promise<unknown>][] = [
  ['a poll', secret => post('/oauth/token', { grant_type: deviceCodeGrant, device_code: secret, client_id })],
  ['a revocation', token => post('/oauth/revoke', { token })],
  [
    'an exchange',
    subject_token =>
      post('/oauth/token', {
        grant_type: tokenExchangeGrant,
        subject_token,
        subject_token_type: accessTokenType,
      }),
  ],
  [
    'a request with a session',
    secret => fetch(`${base}/v1/sessions`, { headers: { authorization: `Bearer ${secret}` } }),
  ],
]

/** Parts of this length do not occur by chance in what is sent: 27 parts, 64^6 texts. */
const partLength = 6
const partsOf = (secret: string) =>
  Array.from({ length: secret.length - partLength + 1 }, (_, at) => secret.slice(at, at + partLength))
const textOf = ({ subject, body, headers }: CallRequest) =>
  `${subject} ${new TextDecoder().decode(body)} ${JSON.stringify(headers)}`

test.each(ways)('%s: the hash crosses the bus, and no part of the secret', async (_what, use) => {
  const secret = createSessionToken()
  await use(secret)
  expect(sent).toHaveLength(1)
  const text = sent.map(textOf).join('\n')
  expect(text).toContain(hashCredential(secret))
  expect(partsOf(secret).filter(part => text.includes(part))).toEqual([])
})

test.each(ways)(
  '%s: a secret that is nearly right differs only in the hash, and everywhere in it',
  async (_what, use) => {
    const person = await scene.newPerson()
    const right = person.token
    const nearly = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
    await use(nearly)
    await use(createSessionToken())
    const [near, far] = sent.map(({ body }) => new TextDecoder().decode(body))
    expect(near?.replace(/[0-9a-f]{64}/, 'hash')).toBe(far?.replace(/[0-9a-f]{64}/, 'hash'))
    const common = [...hashCredential(right)].findIndex((digit, at) => digit !== hashCredential(nearly)[at])
    // Eight common digits have a probability of one in 2^32.
    expect(common).toBeGreaterThanOrEqual(0)
    expect(common).toBeLessThan(8)
  },
)
