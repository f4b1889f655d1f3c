// Events of refusals: however many there are, they are few.
import { openPool } from '@svc/testing/open-pool'
import { type Attribution, bySystem } from '@svc/contract/core/actor'
import { newId } from '@svc/runtime/id'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createRefusalEvents, type RefusalEvents } from '../../src/credentials/refusal-events.ts'
import { type RunningService, internal, shareService } from '../running-service.ts'

let service: RunningService
let refusals: RefusalEvents
let time: number
beforeAll(async () => {
  service = await shareService()
})
beforeEach(() => {
  const database = openPool(service.databaseUrl, 1, 8)
  onTestFinished(() => database.close())
  time = 0
  refusals = createRefusalEvents(
    () => database.sql,
    () => time,
  )
})

const from = (address: string): Attribution => ({ ...bySystem('test'), request_id: 'req_1', address })
const told = (aggregate: string) =>
  service.sql`
    select substr(subject, 8) as type, payload, actor, request_id, address
    from auth_tokens.outbox where aggregate_id = ${aggregate} order by sequence`
const counts = async (aggregate: string) => (await told(aggregate)).map(({ payload }) => payload.count)

test('the first is told at once, and those of the minute after it as one, with their number', async () => {
  const user = await service.newUser()
  const refuse = () => refusals.signIn('refused', user, from('192.0.2.1'))
  refuse()
  await refusals.flush()
  for (let n = 0; n < 1000; n++) refuse()
  time = 59_000
  expect(await refusals.flush()).toBe(false)
  time = 61_000
  await refusals.flush()
  time = 200_000
  await refusals.flush()
  refuse()
  await refusals.flush()
  expect(await counts(user)).toEqual([1, 1000, 1])
  expect((await told(user))[0]).toEqual({
    type: 'sign_ins.refused',
    payload: { user_id: user, count: 1 },
    // Nobody is signed in.
    actor: { kind: 'user', id: null, name: null, credential_id: null, workspace_id: null },
    request_id: 'req_1',
    address: '192.0.2.1',
  })
})

test('refused sign-ins are told for each address, those of an account that is locked as one', async () => {
  const user = await service.newUser()
  for (const what of ['refused', 'locked_out'] as const) {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) refusals.signIn(what, user, from(address))
  }
  await refusals.flush()
  expect((await told(user)).map(({ type, payload }) => `${type} ${payload.count}`).sort()).toEqual([
    'sign_ins.locked_out 3',
    'sign_ins.refused 1',
    'sign_ins.refused 2',
  ])
})

test('a token that is refused tells each reason, also where it was deleted at once', async () => {
  const workspace_id = await service.newWorkspace()
  const { body } = await service.ask('create_api_token', internal(workspace_id), { body: { name: 'ci' } })
  const id = String(body.id)
  const deleted = newId('tok')
  const refuse = (token: string, reason: string, count: number) =>
    refusals.token({ id: token, workspace: workspace_id, reason, count }, from('192.0.2.1'))
  refuse(id, 'role_too_low', 3)
  refuse(id, 'role_too_low', 2)
  refuse(id, 'credential_kind', 1)
  refuse(deleted, 'credential_kind', 1)
  await refusals.flush()
  const [, ...refused] = await told(id)
  expect(refused.map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'api_tokens.refused', payload: { workspace_id, reason: 'role_too_low', count: 5 } },
    { type: 'api_tokens.refused', payload: { workspace_id, reason: 'credential_kind', count: 1 } },
  ])
  expect((await told(deleted)).map(({ payload }) => payload)).toEqual([
    { workspace_id, reason: 'credential_kind', count: 1 },
  ])
})

test('an account that is gone tells nothing', async () => {
  const user = newId('user')
  refusals.signIn('refused', user, from('192.0.2.1'))
  await refusals.flush()
  expect(await told(user)).toEqual([])
})

test('what cannot be written now is written later, with what came since', async () => {
  const user = await service.newUser()
  let away = true
  const database = openPool(service.databaseUrl, 1, 8)
  onTestFinished(() => database.close())
  const later = createRefusalEvents(() => {
    if (away) throw new Error('away')
    return database.sql
  })
  later.signIn('refused', user, from('192.0.2.1'))
  await expect(later.flush()).rejects.toThrow('away')
  later.signIn('refused', user, from('192.0.2.1'))
  away = false
  await later.flush()
  expect(await counts(user)).toEqual([2])
})

test('the last ones are told when the process ends', async () => {
  const user = await service.newUser()
  refusals.signIn('refused', user, from('192.0.2.1'))
  await refusals.flush()
  refusals.signIn('refused', user, from('192.0.2.1'))
  await refusals.flush(true)
  expect(await counts(user)).toEqual([1, 1])
})
