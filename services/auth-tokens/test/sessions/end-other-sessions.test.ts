// A person is signed out everywhere but here: nothing that was opened before stays, and nothing opens out of what was begun before.
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { hashCredential } from '@svc/runtime/credential'
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
let recalled: string[][]
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl, {
    recall: async (...principals) => void recalled.push(principals),
  })
  replicas.time.seconds = service.clock.seconds()
})
beforeEach(() => {
  recalled = []
})
afterAll(async () => {
  await replicas?.close()
})

interface Session {
  readonly id: string
  readonly token: string
}

async function open(user_id: string): Promise<Session> {
  const { body } = await service.ask('create_session', internal(), { body: { user_id } })
  return body as unknown as Session
}
const as = (user: string, id: string, kind: 'session' | 'jwt' = 'session') => ({ kind, id, user }) as const
const endOthers = (caller: Caller, requestId = '') => service.ask('end_other_sessions', caller, { requestId })
const idsOf = async (user: string) =>
  (await service.sql`select id from auth_tokens.sessions where user_id = ${user} order by id`).map(({ id }) =>
    String(id),
  )
const isAccepted = async ({ token }: Session) => {
  const lookups = [{ kind: 'session', hash: hashCredential(token) }]
  const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  return (body.callers as (Caller | null)[])[0] !== null
}

test.each(['session', 'jwt'] as const)('with a %s, all sessions end but its own', async kind => {
  const [user, neighbour] = [await service.newUser(), await service.newUser()]
  const sessions = [await open(user), await open(user), await open(user)]
  const [first, own, last] = sessions as [Session, Session, Session]
  const foreign = await open(neighbour)
  expect(await endOthers(as(user, own.id, kind))).toEqual({ status: 200, body: { ended: 2 } })
  expect(await Promise.all([first, own, last, foreign].map(isAccepted))).toEqual([false, true, false, true])
  expect(await idsOf(user)).toEqual([own.id])
  expect(await endOthers(as(user, own.id, kind))).toEqual({ status: 200, body: { ended: 0 } })
})

test('with a JWT of an outside issuer, which has no session here, all of them end', async () => {
  const user = await service.newUser()
  await open(user)
  await open(user)
  expect(await endOthers(as(user, user, 'jwt'))).toEqual({ status: 200, body: { ended: 2 } })
  expect(await idsOf(user)).toEqual([])
})

test('each of them has its event, with who ended it', async () => {
  const user = await service.newUser()
  const [one, own, other] = [await open(user), await open(user), await open(user)]
  await endOthers({ ...as(user, own.id), name: 'ada@test.example' }, 'req_others')
  const events = await service.sql`
    select aggregate_id, payload, actor, request_id from auth_tokens.outbox
    where subject = 'events.sessions.ended' and payload ->> 'user_id' = ${user} order by aggregate_id`
  const actor = {
    kind: 'user',
    id: user,
    name: 'ada@test.example',
    credential_id: own.id,
    workspace_id: null,
  }
  const common = { payload: { user_id: user }, actor, request_id: 'req_others' }
  expect(events).toEqual([one.id, other.id].sort().map(aggregate_id => ({ aggregate_id, ...common })))
})

test('the person is recalled, also by a repetition that finds nothing left to end', async () => {
  const user = await service.newUser()
  const [own] = [await open(user), await open(user)]
  for (const ended of [1, 0])
    expect(await replicas.run('end_other_sessions', undefined, as(user, own.id))).toEqual({ ended })
  expect(recalled).toEqual([[`user ${user}`], [`user ${user}`]])
})

test('exactly one of several sessions that end each other at once, at two replicas, remains', async () => {
  const user = await service.newUser()
  const sessions = await Promise.all(Array.from({ length: sized(8, 40) }, () => open(user)))
  const answers = await Promise.all(sessions.map(({ id }) => endOthers(as(user, id))))
  const winners = sessions.filter((_, n) => answers[n]?.status === 200)
  expect(winners).toHaveLength(1)
  expect(await idsOf(user)).toEqual(winners.map(({ id }) => id))
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { status, body } of refused) expect([status, body.errors?.[0]?.code]).toEqual([401, 40102])
})

test('a session that is opened at the same time has ended, or was opened afterwards', async () => {
  const user = await service.newUser()
  const own = await open(user)
  const rounds = sized(10, 60)
  const opening = Array.from({ length: rounds }, () => open(user))
  const ending = Array.from({ length: rounds }, () => endOthers(as(user, own.id)))
  const [opened, answers] = await Promise.all([Promise.all(opening), Promise.all(ending)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const ended = answers.reduce((sum, { body }) => sum + Number(body.ended), 0)
  expect(await idsOf(user)).toHaveLength(1 + opened.length - ended)
  await endOthers(as(user, own.id))
  expect(await idsOf(user)).toEqual([own.id])
})
