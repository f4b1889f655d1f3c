/** Two replicas with signing keys, on a clock that moves on between tests alone, since rotations must be some time apart. */
import { hashCredential } from '@svc/runtime/credential'
import { shareInWorker } from '@svc/testing/share-in-worker'
import { type JSONWebKeySet, createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { retiredForSeconds } from '../../src/signing-keys/signing-keys.ts'
import { type Answer, type RunningService, internal, runService } from '../running-service.ts'

export const issuer = 'https://svc.test'

export interface ListedKey {
  readonly kid: string
  readonly state: 'next' | 'active' | 'retired'
  readonly public_jwk: Record<string, string>
  readonly created_at: number
}

export const kidOf = (keys: readonly ListedKey[], state: ListedKey['state']) =>
  keys.find(key => key.state === state)?.kid

export const tokenOf = ({ status, body }: Answer) => {
  expect({ status, outcome: body.outcome }).toEqual({ status: 200, outcome: 'issued' })
  return body.access_token as string
}

const share = shareInWorker(runService)

/** The files of a worker share one, whose keys no others need. */
export function signingScene() {
  let service: RunningService
  beforeAll(async () => {
    service = await share()
  })
  afterAll(() => service?.stop())
  beforeEach(() => {
    service.clock.stop()
    service.clock.offsetSeconds += 2 * retiredForSeconds
  })

  return {
    get service() {
      return service
    },

    async listed(): Promise<ListedKey[]> {
      const { status, body } = await service.ask('list_signing_keys', internal())
      expect(status).toBe(200)
      return body.keys as ListedKey[]
    },

    async newSession() {
      const user = await service.newUser()
      const { body } = await service.ask('create_session', internal(), { body: { user_id: user } })
      const { id, token } = body as unknown as { id: string; token: string }
      return { user, id, hash: hashCredential(token) }
    },

    exchange(hash: string, client_id?: string): Promise<Answer> {
      return service.ask('exchange_session', internal(), { body: { hash, ...(client_id && { client_id }) } })
    },

    /** Verifies as someone who has read these keys. */
    verify(token: string, keys: readonly ListedKey[]) {
      const jwks = { keys: keys.map(({ public_jwk }) => public_jwk) } as unknown as JSONWebKeySet
      return jwtVerify(token, createLocalJWKSet(jwks), {
        issuer,
        audience: issuer,
        typ: 'at+jwt',
        algorithms: ['ES256'],
        currentDate: new Date(service.clock.seconds() * 1000),
      })
    },

    /** The gateway's look-up for a JWT with a valid signature. */
    async lookUp(session: string, kid = '') {
      const body = { lookups: [{ kind: 'jwt', session, kid }] }
      const answer = await service.ask('resolve_credentials', internal(), { body })
      expect(answer.status).toBe(200)
      return (answer.body.callers as unknown[])[0]
    },
  }
}
