/** Known browsers of an account: their own attempts, which nobody else can use up, and when they are forgotten. */
import { forFile } from '@svc/testing/for-file'
import { refusal } from '@svc/contract/core/errors'
import { knownBrowserSeconds } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  addressBucket,
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
} from '../../src/credentials/attempts.ts'
import { maxKnownBrowsers } from '../../src/sessions/known-browsers.ts'
import { createPasswords } from '../../src/credentials/passwords.ts'
import { freezeReplicas } from '../frozen-replicas.ts'
import { createPeople, summaryOf } from '../people-scene.ts'
import { password } from '@svc/testing/password'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)
let email: string
let id: string
beforeEach(async () => {
  service.clock.stop()
  service.clock.offsetSeconds = 0
  ;({ email, id } = await newAccount())
})

async function newAccount() {
  const id = await service.newUser()
  return { id, email: `${id}@test.example` }
}

interface Attempt {
  as?: string
  with?: string[]
  secret?: string
  address?: string
}

/** By default each attempt has a new address, so that the limit for an address does not interfere. */
let addresses = 0
const signIn = ({ as = email, with: tokens = [], secret = password, address }: Attempt = {}) =>
  service.ask('sign_in', internal(), {
    body: {
      email: as,
      password: secret,
      origin: {
        address: address ?? `10.9.${(addresses >> 8) & 255}.${addresses++ & 255}`,
        user_agent: 'test',
      },
      browser_hashes: tokens.map(hashCredential),
    },
  })
const wrong = (attempt: Attempt) => signIn({ ...attempt, secret: 'wrong' })
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const count = (answers: { status: number }[], status: number) =>
  answers.filter(answer => answer.status === status).length

async function newBrowser(as = email): Promise<string> {
  const { status, body } = await signIn({ as })
  expect(status).toBe(200)
  return String(body.browser_token)
}
/** Whether the browser is known: it can sign in after strangers have used up the account's attempts. */
async function isKnown(token: string, as = email) {
  await strangersTry(as)
  return (await signIn({ as, with: [token] })).status === 200
}
const strangersTry = (as = email) =>
  service.sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    select ${bucketOf('sign_in_per_account', as)}, array_agg(to_timestamp(${service.clock.seconds()}::bigint - n % 10)), now()
    from generate_series(1, ${attemptLimits.sign_in_per_account}::int) n
    on conflict (bucket) do update set times = excluded.times`
const rows = async (user = id) =>
  (await service.sql`select hash from auth_tokens.known_browsers where user_id = ${user}`).length

describe('signing in', () => {
  test('gives a browser a token, of which the hash is stored; a known one keeps its own, and programs get none', async () => {
    const { body } = await signIn()
    expect(body.browser_token).toMatch(/^[0-9A-Za-z]{32}$/)
    const stored = await service.sql`
      select encode(hash, 'hex') as hash from auth_tokens.known_browsers where user_id = ${id}`
    expect(stored).toEqual([{ hash: hashCredential(String(body.browser_token)) }])
    const again = await signIn({ with: [createSessionToken(), String(body.browser_token)] })
    expect(again.status).toBe(200)
    expect(again.body).not.toHaveProperty('browser_token')
    const program = await service.ask('sign_in', internal(), {
      body: { email, password, origin: { address: '10.8.0.1', user_agent: '' } },
    })
    expect(program.body).not.toHaveProperty('browser_token')
    expect(await rows()).toBe(1)
  })

  test('with a wrong password gives no token', async () => {
    expect(summaryOf(await wrong({}))).toBe('401 40103')
    expect(await rows()).toBe(0)
  })
})

describe('attempts', () => {
  test('used up by strangers, of the account and of the address, do not affect a known browser', async () => {
    const known = await newBrowser()
    const address = '10.7.0.1'
    await people.attempted(addressBucket('sign_in_per_address', address), attemptLimits.sign_in_per_address)
    await strangersTry()
    expect(summaryOf(await signIn({ address }))).toBe('429 42902')
    expect(summaryOf(await signIn())).toBe('429 42902')
    for (let round = 0; round < 3; round++)
      expect((await signIn({ with: [known], address })).status).toBe(200)
  })

  const most = attemptLimits.sign_in_per_known_browser
  test(`${most} of 15 concurrent wrong passwords from a known browser are checked, and none counts against the account`, async () => {
    const [known, another] = [await newBrowser(), await newBrowser()]
    const answers = await times(15, () => wrong({ with: [known] }))
    expect([count(answers, 401), count(answers, 429)]).toEqual([most, 15 - most])
    expect(summaryOf(await signIn({ with: [known] }))).toBe('429 42902')
    expect((await signIn({ with: [another] })).status).toBe(200)
    const [spent] = await service.sql`
      select cardinality(times) as count from auth_tokens.attempts where bucket = ${bucketOf('sign_in_per_account', email)}`
    expect(spent).toEqual({ count: 0 })
    service.clock.offsetSeconds += attemptWindowSeconds + 1
    expect((await signIn({ with: [known] })).status).toBe(200)
  })

  test('attempts of a known browser are reset by the right password, and not used up by a check that did not take place', async () => {
    const known = await newBrowser()
    for (let round = 0; round < 2; round++) {
      await times(most - 1, () => wrong({ with: [known] }))
      expect((await signIn({ with: [known] })).status).toBe(200)
    }
    let busy = true
    const real = createPasswords()
    const replicas = freezeReplicas(service.databaseUrl, {
      passwords: {
        ...real,
        verify: (...asked) => (busy ? Promise.reject(refusal('overloaded')) : real.verify(...asked)),
      },
    })
    onTestFinished(() => replicas.close())
    replicas.time.seconds = service.clock.seconds()
    const body = {
      email,
      password,
      origin: { address: '10.7.0.2', user_agent: '' },
      browser_hashes: [hashCredential(known)],
    }
    for (let at = 0; at < 2 * most; at++) {
      await expect(replicas.run('sign_in', body)).rejects.toMatchObject({ reason: 'overloaded' })
    }
    busy = false
    expect(await replicas.run('sign_in', body)).toMatchObject({ token: expect.any(String) })
  })

  test('with another account’s token, or an invented one, count and are answered like a stranger’s', async () => {
    const other = await newAccount()
    const foreign = await newBrowser(other.email)
    const nobody = `${newId('user')}@nowhere.example`
    for (const as of [email, nobody]) {
      const answers = [
        await wrong({ as, with: [foreign] }),
        await wrong({ as, with: [createSessionToken()] }),
      ]
      expect(answers[0]).toEqual(await wrong({ as }))
      expect(answers[1]).toEqual(answers[0])
      const [spent] = await service.sql`
        select cardinality(times) as count from auth_tokens.attempts where bucket = ${bucketOf('sign_in_per_account', as)}`
      expect(spent).toEqual({ count: 3 })
      await strangersTry(as)
      expect(summaryOf(await signIn({ as, with: [foreign] }))).toBe('429 42902')
    }
    expect(await isKnown(foreign, other.email)).toBe(true)
  })
})

describe('an account remembers', () => {
  test(`the last ${maxKnownBrowsers} browsers that signed in`, async () => {
    const first = await newBrowser()
    service.clock.offsetSeconds += 1
    const second = await newBrowser()
    service.clock.offsetSeconds += 1
    expect((await signIn({ with: [first] })).status).toBe(200)
    service.clock.offsetSeconds += 1
    await times(maxKnownBrowsers - 1, () => newBrowser())
    expect(await rows()).toBe(maxKnownBrowsers)
    expect(await isKnown(first)).toBe(true)
    expect(await isKnown(second)).toBe(false)
  })

  const many = sized(25, 100)
  test(`no more than that when ${many} sign in at once over two replicas`, async () => {
    const opened = count(await times(many, () => signIn()), 200)
    expect(opened).toBeGreaterThan(maxKnownBrowsers)
    expect(await rows()).toBe(maxKnownBrowsers)
  })

  test('no browser that has not signed in for 180 days', async () => {
    const [used, unused] = [await newBrowser(), await newBrowser()]
    service.clock.offsetSeconds += knownBrowserSeconds - 1
    expect((await signIn({ with: [used] })).status).toBe(200)
    service.clock.offsetSeconds += 2
    expect(await isKnown(used)).toBe(true)
    expect(await isKnown(unused)).toBe(false)
  })
})

describe('a new password', () => {
  const another = 'a battery of correct staples'
  async function newLink() {
    const token = createSessionToken()
    await service.sql`
      insert into auth_tokens.verifications (hash, email, created_at, expires_at)
      values (decode(${hashCredential(token)}, 'hex'), ${email}, now(), now() + interval '1 day')`
    return hashCredential(token)
  }
  const origin = { address: '10.6.0.1', user_agent: '' }
  test.each<[string, () => Promise<unknown>]>([
    ['put_user', () => service.ask('put_user', internal(), { body: { email, password: another } })],
    [
      'create_owner',
      () =>
        service.ask('create_owner', internal(), {
          body: { email, workspace_name: 'Own', password: another },
        }),
    ],
    [
      'complete_verification',
      async () =>
        service.ask('complete_verification', internal(), {
          body: { hash: await newLink(), password: another, origin },
        }),
    ],
  ])('set by %s forgets all known browsers', async (_, change) => {
    const known = await newBrowser()
    await change()
    expect(await rows()).toBe(0)
    await strangersTry()
    expect(summaryOf(await signIn({ with: [known], secret: another }))).toBe('429 42902')
  })

  test('set through a link makes only that browser known', async () => {
    const known = await newBrowser()
    const { body } = await service.ask('complete_verification', internal(), {
      body: { hash: await newLink(), password: another, origin, remember_browser: true },
    })
    await strangersTry()
    expect((await signIn({ with: [String(body.browser_token)], secret: another })).status).toBe(200)
    expect(summaryOf(await signIn({ with: [known], secret: another }))).toBe('429 42902')
  })

  test('at the same time as 12 sign-ins leaves none of their browsers known', async () => {
    // Its hash is as slow as that of the other password.
    await service.ask('put_user', internal(), { body: { email, password } })
    const known = await newBrowser()
    const [answers] = await Promise.all([
      times(12, at => signIn({ with: at % 2 ? [known] : [] })),
      service.ask('put_user', internal(), { body: { email, password: another } }),
    ])
    expect(answers.filter(({ status }) => ![200, 401, 429].includes(status))).toEqual([])
    expect(await rows()).toBe(0)
  })
})
