/** What the tests of JWTs through the whole stack share. */

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { createSeal } from '@svc/runtime/seal'
import type { Product } from '@svc/testing/stack/stack'
import { insertMember } from '@svc/testing/members'

export const internal = (workspace?: string) => ({ kind: 'internal', id: 'test', workspace }) as const

type Sent = (name: string, token: string, baseUrl: string) => Promise<void>

/** Sends each token to each gateway, all together. */
export const eachAt = (baseUrls: readonly string[], tokens: Record<string, string>, send: Sent) =>
  Promise.all(
    Object.entries(tokens).flatMap(([name, token]) => baseUrls.map(baseUrl => send(name, token, baseUrl))),
  )

export interface JwtScene extends Product {
  /** The bus with the gateway's permissions. */
  readonly gateway: CallBus
  /** A JWT for the session with this token. */
  exchange(sessionToken: string): Promise<string>
  /** A session of a new member of the demo's workspace. */
  newMember(): Promise<{ user_id: string; session: { id: string; token: string } }>
  /** The key that signs. */
  activeKey(): Promise<{ kid: string; key: KeyObject }>
}

export async function startJwtScene(start: () => Promise<Product>): Promise<JwtScene> {
  const stack = await start()
  const bus = await connectBus(stack.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  const gateway = createCall(bus)
  const { dev, backoffice, sql } = stack
  return {
    ...stack,
    gateway,
    async exchange(sessionToken) {
      const body = { hash: hashCredential(sessionToken) }
      const answer = await invoke(gateway, authTokens, 'exchange_session', { caller: internal(), body })
      if (answer.outcome !== 'issued') throw new Error(answer.outcome)
      return answer.access_token
    },
    async newMember() {
      const user_id = newId('user')
      await sql`
        insert into auth_tokens.users (id, email, password_hash)
        values (${user_id}, ${`${user_id}@test.example`}, 'none')`
      await insertMember(sql, { workspace: dev.workspace_id, user: user_id, role: 'member' })
      const body = { user_id }
      const session = await invoke(backoffice, authTokens, 'create_session', { caller: internal(), body })
      return { user_id, session }
    },
    async activeKey() {
      const [row] = await sql`select kid, private_jwk from auth_tokens.signing_keys where state = 'active'`
      const { unseal } = createSeal(stack.stack.secrets.sealing['auth-tokens'])
      const key = JSON.parse(unseal(row?.private_jwk, `signing_keys ${row?.kid}`))
      return { kid: row?.kid, key: createPrivateKey({ key, format: 'jwk' }) }
    },
    async stop() {
      await bus.close()
      await stack.stop()
    },
  }
}
