// An admin who is about to leave and keeps an API token: it worked in the workspace until someone thought of it, and
// nobody could see whose it had been.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newId } from '@svc/runtime/id'
import { forgetCachedAnswers } from '@svc/testing/forget-cached-answers'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { insertMember } from '@svc/testing/members'
import { requester } from '@svc/testing/stack/driven-stack'

const product = forFile(joinProduct)

interface Sent {
  method?: string
  credential: string
  /** For sessions. */
  context?: string
  body?: object
  gateway?: number
}

type Made = {
  readonly id: string
  readonly token: string
}
async function send(path: string, { method = 'GET', credential, context, body, gateway = 0 }: Sent) {
  const ask = requester<Made>(product.baseUrls[gateway] ?? '')
  const { status, answer } = await ask(method, path, credential, {
    body,
    ...(context && { workspace: context }),
  })
  return { status, body: answer }
}

const program = (workspace?: string) => ({ kind: 'internal', id: 'test', workspace }) as const
const join = (user: string) =>
  insertMember(product.sql, { workspace: product.dev.workspace_id, user, role: 'admin' })

/** An admin of the workspace, and what they can do. */
async function newAdmin() {
  const { backoffice, dev, sql } = product
  const user_id = newId('user')
  await sql`insert into auth_tokens.users (id, email) values (${user_id}, ${`${user_id}@leaving.example`})`
  await join(user_id)
  const session = await invoke(backoffice, authTokens, 'create_session', {
    caller: program(),
    body: { user_id },
  })
  const asAdmin = { credential: session.token, context: dev.workspace_id }
  return {
    user_id,
    asAdmin,
    createToken: (ends_with_creator: boolean | undefined, gateway = 0) =>
      send('/api_tokens', {
        ...asAdmin,
        method: 'POST',
        body: { name: `made by ${user_id}`, ends_with_creator },
        gateway,
      }),
    rotate: (id: string, gateway = 0) =>
      send(`/api_tokens/${id}/rotate`, {
        ...asAdmin,
        method: 'POST',
        body: { grace_seconds: 3600 },
        gateway,
      }),
  }
}
type Admin = Awaited<ReturnType<typeof newAdmin>>

const owner = () => ({ credential: product.dev.owner.session_token, context: product.dev.workspace_id })
const memberPath = ({ user_id }: Admin) => `/workspaces/${product.dev.workspace_id}/members/${user_id}`

const endings: [string, (admin: Admin) => Promise<unknown>][] = [
  [
    'is removed by an owner',
    async admin =>
      expect(await send(memberPath(admin), { ...owner(), method: 'DELETE', gateway: 1 })).toMatchObject({
        status: 204,
      }),
  ],
  [
    'leaves',
    async admin =>
      expect(
        await send(memberPath(admin), { credential: admin.asAdmin.credential, method: 'DELETE' }),
      ).toMatchObject({ status: 204 }),
  ],
  [
    'is removed by hand, and the leases are marked',
    async ({ user_id }) => {
      expect(
        await product.sql`delete from auth_tokens.memberships where user_id = ${user_id} returning user_id`,
      ).toHaveLength(1)
      await forgetCachedAnswers(product.sql)
    },
  ],
]
const removeByOwner = (admin: Admin) => (endings[0] as (typeof endings)[number])[1](admin)

/** Statuses on both gateways. */
const statusesOf = (credential: string) =>
  Promise.all([0, 1].map(async gateway => (await send('/installs', { credential, gateway })).status))

const requests = sized(100, 500)
const first = sized(30, 100)
const parallel = sized(20, 40)

/** Sends the requests over both gateways; the membership ends when the first have been answered. */
async function useWhile(credential: string, end: () => Promise<unknown>) {
  const outcomes: { sentAt: number; status: number }[] = []
  let ended: Promise<number> | undefined
  let sent = 0
  await Promise.all(
    Array.from({ length: parallel }, async (_, at) => {
      while (sent < requests) {
        sent++
        const sentAt = performance.now()
        const { status } = await send('/installs', { credential, gateway: at % 2 })
        outcomes.push({ sentAt, status })
        if (outcomes.length === first) ended = end().then(() => performance.now())
        // The last ones wait for the reply.
        if (outcomes.length >= requests - 3 * parallel) await ended
      }
    }),
  )
  const repliedAt = (await ended) ?? Number.NaN
  return { outcomes, after: outcomes.filter(({ sentAt }) => sentAt > repliedAt) }
}

describe('a token that ends with its creator', () => {
  test.each(endings)(
    `is refused from the reply on, in ${requests} requests over two gateways, when its creator %s`,
    async (_, end) => {
      const admin = await newAdmin()
      const { status, body } = await admin.createToken(true)
      expect(status).toBe(201)
      const { outcomes, after } = await useWhile(body.token, () => end(admin))
      expect(outcomes.length).toBeGreaterThanOrEqual(requests)
      expect(outcomes.slice(0, first).map(({ status }) => status)).toEqual(Array(first).fill(200))
      expect(after.length).toBeGreaterThanOrEqual(2 * parallel)
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
    },
  )

  test('stays invalid when they join again, also with the secret from before a rotation', async () => {
    const admin = await newAdmin()
    const { body: created } = await admin.createToken(true)
    const { body: rotated } = await admin.rotate(created.id)
    expect(await statusesOf(created.token)).toEqual([200, 200])
    await removeByOwner(admin)
    await join(admin.user_id)
    for (const { token } of [created, rotated]) expect(await statusesOf(token)).toEqual([401, 401])
    expect((await admin.rotate(created.id)).status).toBe(404)
  })
})
