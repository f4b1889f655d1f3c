// The process that used up a link dies before it has recalled the sessions that the new password ends. Whoever follows the link
// again is told that it was used, and nobody is admitted by what gateways kept from then on.
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { newAddress } from '../people-scene.ts'
import { shareService } from '../running-service.ts'
import { origin } from './links-scene.ts'

const service = forFile(shareService)
let replicas: FrozenReplicas
let recalled: string[][]
let dies: boolean
beforeAll(() => {
  replicas = freezeReplicas(service.databaseUrl, {
    eventWritten: () => {},
    async recall(...principals) {
      if (dies) throw new Error('died')
      recalled.push(principals)
    },
  })
})
afterAll(async () => {
  await replicas?.close()
})

async function newLink(email: string, lifetimeSeconds = 100) {
  const hash = hashCredential(createSessionToken())
  const { seconds } = replicas.time
  await service.sql`insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (decode(${hash}, 'hex'), ${email}, to_timestamp(${seconds}), to_timestamp(${seconds + lifetimeSeconds}))`
  return hash
}
const complete = (hash: string, chosen = password) =>
  replicas.run('complete_verification', { hash, password: chosen, origin })

/** The link set a password, and nothing was recalled. */
async function usedByOneThatDied(email = newAddress()) {
  recalled = []
  const hash = await newLink(email)
  dies = true
  await expect(complete(hash)).rejects.toThrow('died')
  dies = false
  expect(recalled).toEqual([])
  return { hash, email, ...(await accountOf(email)) }
}
async function accountOf(email: string) {
  const [account] = await service.sql`
    select u.id as user, u.password_hash, array(
      select s.id from auth_tokens.sessions s where s.user_id = u.id order by s.id
    ) as sessions
    from auth_tokens.users u where u.email = ${email}`
  return account as { user: string; password_hash: string; sessions: string[] }
}

test('a repetition of the link recalls, and changes nothing else', async () => {
  const { hash, email, ...before } = await usedByOneThatDied()
  expect(before.sessions).toHaveLength(1)
  for (let times = 1; times <= 3; times++) {
    await expect(complete(hash, 'another long password')).rejects.toMatchObject({ reason: 'link_invalid' })
    expect(recalled).toEqual(Array.from({ length: times }, () => [`user ${before.user}`]))
  }
  expect(await accountOf(email)).toEqual(before)
})

test('so do repetitions at the same moment as the first', async () => {
  recalled = []
  const email = newAddress()
  const hash = await newLink(email)
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => complete(hash)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { user } = await accountOf(email)
  expect(recalled).toEqual(Array.from({ length: 6 }, () => [`user ${user}`]))
})

test('within the lifetime of the link', async () => {
  const { hash } = await usedByOneThatDied()
  replicas.time.seconds += 101
  await expect(complete(hash)).rejects.toMatchObject({ reason: 'link_invalid' })
  expect(recalled).toEqual([])
})

test('links that were never used, or ended with another one, recall nothing', async () => {
  const email = newAddress()
  const other = await newLink(email)
  await usedByOneThatDied(email)
  for (const hash of [other, hashCredential(createSessionToken())]) {
    await expect(complete(hash)).rejects.toMatchObject({ reason: 'link_invalid' })
  }
  expect(recalled).toEqual([])
})
