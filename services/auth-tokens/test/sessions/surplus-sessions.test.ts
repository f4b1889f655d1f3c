// A person has so many sessions at most: the one that was used least lately ends when another is opened, however that is, and is
// recalled before the answer.
import { forFile } from '@svc/testing/for-file'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceSteps, origin } from '../device-grant/device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { password, passwordHash } from '@svc/testing/password'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
let recalled: string[][]
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl, {
    recall: async (...principals) => void recalled.push(principals),
  })
})
afterAll(async () => {
  await replicas?.close()
})

/** For the limit on grants of an address. */
const ownAddress = '203.0.113.99'

/** A person who has opened so many sessions, one a second, the last one just before the replicas' time. */
async function personWith(count: number) {
  recalled = []
  const user = newId('user')
  const email = `${user}@test.example`
  await service.sql`
    insert into auth_tokens.users (id, email, password_hash) values (${user}, ${email}, ${passwordHash})`
  const ids = Array.from({ length: count }, () => newId('sess'))
  await service.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    select id, ${user}, sha256(id::bytea), to_timestamp(${replicas.time.seconds - count} + n),
      to_timestamp(${replicas.time.seconds + 86_400})
    from unnest(${ids}::text[]) with ordinality as s (id, n)`
  return { user, email, ids }
}
const idsOf = async (user: string) =>
  (
    await service.sql`select id from auth_tokens.sessions where user_id = ${user} order by created_at, id`
  ).map(({ id }) => String(id))

type Person = Awaited<ReturnType<typeof personWith>>
const ways: Record<string, (person: Person) => Promise<unknown>> = {
  'signing in': ({ email }) => replicas.run('sign_in', { email, password, origin }),
  'an internal program': ({ user }) => replicas.run('create_session', { user_id: user }),
  async 'a device'({ user, ids }) {
    const { start, approve, pollOutcome } = deviceSteps(replicas)
    const grant = await start(ownAddress)
    await approve(grant, { kind: 'session', id: ids.at(-1) ?? '', user })
    recalled = []
    expect(await pollOutcome(grant)).toBe('approved')
  },
}

describe.each(Object.entries(ways))('%s', (_name, open) => {
  test('ends nothing as long as there is room', async () => {
    const person = await personWith(maxSessions - 1)
    await open(person)
    expect(await idsOf(person.user)).toEqual([...person.ids, expect.any(String)])
    expect(recalled.flat()).toEqual([])
  })

  test('ends the session that was used least lately, and recalls what its person has', async () => {
    const person = await personWith(maxSessions)
    const [used = '', , ...others] = person.ids
    await service.sql`
      update auth_tokens.sessions set last_used_at = to_timestamp(${replicas.time.seconds}) where id = ${used}`
    await open(person)
    expect(await idsOf(person.user)).toEqual([used, ...others, expect.any(String)])
    expect(recalled.flat()).toEqual([`user ${person.user}`])
  })
})

test('all surplus sessions end, however many there are', async () => {
  const person = await personWith(maxSessions + 40)
  await ways['an internal program']?.(person)
  expect(await idsOf(person.user)).toEqual([...person.ids.slice(41), expect.any(String)])
  expect(recalled.flat()).toEqual([`user ${person.user}`])
})

test('one that has expired goes before all others, although it was used last', async () => {
  const person = await personWith(maxSessions)
  const expired = person.ids.at(-1) ?? ''
  await service.sql`
    update auth_tokens.sessions set expires_at = to_timestamp(${replicas.time.seconds - 1}),
      last_used_at = to_timestamp(${replicas.time.seconds - 2})
    where id = ${expired}`
  await ways['an internal program']?.(person)
  expect(await idsOf(person.user)).toEqual([...person.ids.slice(0, -1), expect.any(String)])
})

test('those of other people stay', async () => {
  const neighbour = await personWith(maxSessions)
  const person = await personWith(maxSessions)
  await ways['an internal program']?.(person)
  expect(await idsOf(neighbour.user)).toEqual(neighbour.ids)
})

test('the number is exact, however many are opened at once, in whichever way', async () => {
  const person = await personWith(maxSessions - 5)
  const { start, approve, poll } = deviceSteps(replicas)
  const caller = { kind: 'session', id: person.ids.at(-1) ?? '', user: person.user } as const
  const grants = await Promise.all(Array.from({ length: sized(4, 20) }, () => start(ownAddress)))
  for (const grant of grants) await approve(grant, caller)
  recalled = []
  const opened = await Promise.all([
    ...grants.map(grant => poll(grant)),
    ...Array.from({ length: sized(12, 60) }, () => replicas.run('create_session', { user_id: person.user })),
  ])
  expect(await idsOf(person.user)).toHaveLength(maxSessions)
  expect(recalled.flat()).toEqual(Array.from({ length: opened.length - 5 }, () => `user ${person.user}`))
})

test('the token of the one that ended is refused', async () => {
  const { body } = await service.ask('create_session', internal(), {
    body: { user_id: await service.newUser() },
  })
  const holder = async () => {
    const lookups = [{ kind: 'session', hash: hashCredential(String(body.token)) }]
    const { body: found } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
    return (found.callers as ({ user: string } | null)[])[0]
  }
  const user = (await holder())?.user
  expect(user).toMatch(/^user_/)
  await service.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    select 'sess_' || n || ${createSessionToken()}, ${user as string}, sha256(random()::text::bytea), now() + interval '1 s',
      now() + interval '1 day'
    from generate_series(2, ${maxSessions}::int) n`
  expect(await holder()).toBeTruthy()
  await service.ask('create_session', internal(), { body: { user_id: user } })
  expect(await holder()).toBeNull()
})
