/** New secrets for API tokens, the old ones' grace period, and stale tokens. */
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { beforeEach, describe, expect, test } from 'vitest'
import { summaryOf } from '../people-scene.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let workspace: string
let admin: Caller
beforeEach(async () => {
  service.clock.stop()
  workspace = await service.newWorkspace()
  admin = await service.newMember(workspace, 'admin')
})

interface Token {
  id: string
  name: string
  token: string
  expires_at?: number
  previous_expires_at?: number
}

async function create(expires_at?: number): Promise<Token> {
  const { body } = await service.ask('create_api_token', admin, { body: { name: 'deploy', expires_at } })
  return body as unknown as Token
}

const ask = (id: string, grace_seconds?: number, caller = admin) =>
  service.ask('rotate_api_token', caller, {
    params: { id },
    ...(grace_seconds !== undefined && { body: { grace_seconds } }),
  })

async function rotate(id: string, grace_seconds?: number): Promise<Token> {
  const { status, body } = await ask(id, grace_seconds)
  expect(status).toBe(200)
  return body as unknown as Token
}

/** For each secret the id of its token if it is accepted, else null. */
async function accepted(...secrets: string[]) {
  const lookups = secrets.map(secret => ({ kind: 'api_token', hash: hashCredential(secret) }))
  const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  return (body.callers as ({ id: string } | null)[]).map(caller => caller?.id ?? null)
}

describe('rotating', () => {
  test.each([undefined, 0])('with a grace of %s the old secret is dead from the reply on', async grace => {
    const before = await create()
    const after = await rotate(before.id, grace)
    expect(after).toEqual({ id: before.id, name: 'deploy', token: expect.stringMatching(/^sk_svc_\w{40}$/) })
    expect(await accepted(before.token, after.token)).toEqual([null, before.id])
    const { body } = await service.ask('list_api_tokens', admin)
    expect((body.data as { hint: string }[])[0]?.hint).toBe(after.token.slice(-4))
  })

  test('with grace both secrets are accepted until it ends, and then only the new one', async () => {
    const before = await create()
    const after = await rotate(before.id, 100)
    expect(after.previous_expires_at).toBe(service.clock.seconds() + 100)
    service.clock.offsetSeconds += 99
    expect(await accepted(before.token, after.token)).toEqual([before.id, before.id])
    service.clock.offsetSeconds += 1
    expect(await accepted(before.token, after.token)).toEqual([null, before.id])
  })

  test('leaves a secret that the list names and that can be ended at once', async () => {
    const { id, token: first } = await create()
    const { token: second, previous_expires_at } = await rotate(id, 200)
    const listed = async () =>
      ((await service.ask('list_api_tokens', admin)).body.data as { previous_expires_at: unknown }[])[0]
    expect(await listed()).toMatchObject({ previous_expires_at })
    const end = (by: Caller) => service.ask('end_previous_secret', by, { params: { id } })
    const elsewhere = await service.newMember(await service.newWorkspace(), 'admin')
    expect(summaryOf(await end(elsewhere))).toBe('404 40402 id')
    expect(await accepted(first, second)).toEqual([id, id])
    expect((await end(admin)).status).toBe(204)
    expect(await accepted(first, second)).toEqual([null, id])
    expect(await listed()).toMatchObject({ previous_expires_at: null })
    expect(summaryOf(await end(admin))).toBe('404 40402 id')
  })

  test('keeps the expiry of the token, which no secret outlives', async () => {
    const end = service.clock.seconds() + 50
    const before = await create(end)
    const after = await rotate(before.id, 100)
    expect(after).toMatchObject({ expires_at: end, previous_expires_at: end })
    service.clock.offsetSeconds += 51
    expect(await accepted(before.token, after.token)).toEqual([null, null])
    expect(summaryOf(await ask(before.id))).toBe('404 40402 id')
  })

  test('keeps one retired secret: the grace of the previous one ends', async () => {
    const { id, token: first } = await create()
    const { token: second } = await rotate(id, 200)
    expect(await accepted(first, second)).toEqual([id, id])
    const { token: third } = await rotate(id, 100)
    expect(await accepted(first, second, third)).toEqual([null, id, id])
    service.clock.offsetSeconds += 101
    expect(await accepted(first, second, third)).toEqual([null, null, id])
  })

  test('without grace ends every earlier secret, including those in a grace period', async () => {
    const { id, token: first } = await create()
    const { token: second } = await rotate(id, 200)
    const { token: third } = await rotate(id)
    expect(await accepted(first, second, third)).toEqual([null, null, id])
    expect(await service.sql`select from auth_tokens.retired_secrets where token_id = ${id}`).toEqual([])
  })

  const many = sized(16, 50)
  test(`without grace, concurrently with ${many} with grace, ends every earlier secret`, async () => {
    const { id, token } = await create()
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) => rotate(id, n === many / 2 ? 0 : 100)),
    )
    const secrets = [token, ...answers.map(answer => answer.token)]
    const alive = (await accepted(...secrets)).filter(one => one !== null).length
    // There is none if it came last.
    const rows = await service.sql`select from auth_tokens.retired_secrets where token_id = ${id}`
    expect(rows).toHaveLength(alive - 1)
    expect(alive).toBeLessThanOrEqual(2)
    expect(await accepted(token)).toEqual([null])
  })

  test('does not survive a revocation, which ends every secret', async () => {
    const { id, token } = await create()
    const after = await rotate(id, 100)
    await service.ask('revoke_api_token', admin, { params: { id } })
    expect(await accepted(token, after.token)).toEqual([null, null])
    expect(await service.sql`select from auth_tokens.retired_secrets where token_id = ${id}`).toEqual([])
  })

  test(`${many} times at once with grace: two of the secrets are accepted, and one of them stays`, async () => {
    const { id, token } = await create()
    const answers = await Promise.all(Array.from({ length: many }, () => rotate(id, 100)))
    const secrets = [token, ...answers.map(answer => answer.token)]
    expect(new Set(secrets).size).toBe(many + 1)
    expect((await accepted(...secrets)).filter(one => one !== null)).toEqual([id, id])
    service.clock.offsetSeconds += 101
    expect((await accepted(...secrets)).filter(one => one !== null)).toEqual([id])
  })

  test(`${many} times at once without grace: one of the returned secrets is accepted`, async () => {
    const { id, token } = await create()
    const answers = await Promise.all(Array.from({ length: many }, () => rotate(id)))
    const live = await accepted(token, ...answers.map(answer => answer.token))
    expect(live[0]).toBeNull()
    expect(live.filter(one => one !== null)).toEqual([id])
  })

  test('at the same time as revoking leaves no valid secret', async () => {
    for (let round = 0; round < sized(3, 10); round++) {
      const { id, token } = await create()
      const [revoked, ...answers] = await Promise.all([
        service.ask('revoke_api_token', admin, { params: { id } }),
        ...Array.from({ length: 10 }, () => ask(id, 100)),
      ])
      expect(revoked?.status).toBe(204)
      for (const answer of answers) expect(['200', '404 40402 id']).toContain(summaryOf(answer))
      const secrets = answers.flatMap(({ status, body }) => (status === 200 ? [String(body.token)] : []))
      expect(await accepted(token, ...secrets)).toEqual([null, ...secrets.map(() => null)])
    }
  })

  test('is for owners and admins of the token’s workspace only', async () => {
    const { id, token } = await create()
    const member = await service.newMember(workspace, 'member')
    const elsewhere = await service.newMember(await service.newWorkspace(), 'owner')
    expect(summaryOf(await ask(id, 0, member))).toBe('403 40304')
    expect(summaryOf(await ask(id, 0, elsewhere))).toBe('404 40402 id')
    expect(summaryOf(await ask(newId('tok')))).toBe('404 40402 id')
    expect(await accepted(token)).toEqual([id])
  })

  test.each([-1, 0.5, 604_801, '60'])('refuses a grace of %s', async grace => {
    const { id, token } = await create()
    const answer = await service.ask('rotate_api_token', admin, {
      params: { id },
      body: { grace_seconds: grace },
    })
    expect(summaryOf(answer)).toBe('400 40002 grace_seconds')
    expect(await accepted(token)).toEqual([id])
  })
})

describe('a token', () => {
  const year = 365 * 86_400

  async function stale(id: string) {
    const { body } = await service.ask('list_api_tokens', admin)
    return (body.data as { id: string; stale: boolean }[]).find(token => token.id === id)?.stale
  }

  test('that was never used is stale a year after its creation', async () => {
    const { id } = await create()
    expect(await stale(id)).toBe(false)
    service.clock.offsetSeconds += year - 1
    expect(await stale(id)).toBe(false)
    service.clock.offsetSeconds += 2
    expect(await stale(id)).toBe(true)
  })

  test('is stale a year after its last use, and no longer stale once it is used', async () => {
    const { id } = await create()
    const usedAt = (seconds: number) =>
      service.sql`update auth_tokens.api_tokens set last_used_at = to_timestamp(${seconds}) where id = ${id}`
    service.clock.offsetSeconds += year
    await usedAt(service.clock.seconds() - year + 5)
    expect(await stale(id)).toBe(false)
    await usedAt(service.clock.seconds() - year - 5)
    expect(await stale(id)).toBe(true)
    await usedAt(service.clock.seconds())
    expect(await stale(id)).toBe(false)
  })
})
