// Sign-in by password: limits that hold for any number of concurrent attempts, and answers that reveal nothing about accounts.
import { forFile } from '@svc/testing/for-file'
import { refusal } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { hash, verify } from '@node-rs/argon2'
import { everything, sized } from '@svc/testing/size'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { attemptLimits, attemptWindowSeconds } from '../../src/credentials/attempts.ts'
import { createPasswords } from '../../src/credentials/passwords.ts'
import { freezeReplicas } from '../frozen-replicas.ts'
import { internal, runService } from '../running-service.ts'

// Files of a worker share loaded modules: earlier ones would not use the mock, and later files must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

/** Cost of hashing: the real one, or hardly anything where only the number of attempts matters. */
const price = vi.hoisted(() => ({ real: true }))
price.real = everything
// The real implementation, with its calls counted.
vi.mock('@node-rs/argon2', async original => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const cheap = { memoryCost: 8, timeCost: 1 }
  const hash: typeof real.hash = (secret, options) =>
    real.hash(secret, price.real ? options : { ...options, ...cheap })
  return { ...real, hash, verify: vi.fn(real.verify) }
})
const verifications = vi.mocked(verify)

const password = 'correct horse battery staple'
let addresses = 0

const service = forFile(runService)
beforeEach(() => {
  verifications.mockClear()
})

async function newAccount() {
  const email = `${newId('user')}@test.example`
  const { body } = await service.ask('put_user', internal(), { body: { email, password } })
  return { email, id: String(body.id) }
}

/** A new address each time. */
const newAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`
const signIn = (email: string, secret = password, address = newAddress()) =>
  service.ask('sign_in', internal(), {
    body: { email, password: secret, origin: { address, user_agent: 'test' } },
  })
const statuses = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

test('the right password opens a browser session; the case of the address does not matter', async () => {
  const { email, id } = await newAccount()
  const { status, body } = await signIn(email.toUpperCase(), password, '192.0.2.1')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      outcome: 'opened',
      id: expect.stringMatching(/^sess_/),
      token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      expires_at: expect.any(Number),
    },
  })
  const [session] = await service.sql`
    select user_id, client_id, address, user_agent from auth_tokens.sessions where id = ${String(body.id)}`
  expect(session).toEqual({ user_id: id, client_id: null, address: '192.0.2.1', user_agent: 'test' })
})

describe('a wrong password, an unknown account and one without a password', () => {
  async function invited() {
    const email = `${newId('user')}@test.example`
    await service.sql`insert into auth_tokens.users (id, email) values (${newId('user')}, ${email})`
    return email
  }
  test('are answered alike, after the same amount of work', async () => {
    price.real = true
    onTestFinished(() => {
      price.real = everything
    })
    const known = await newAccount()
    const replicas = freezeReplicas(service.databaseUrl)
    onTestFinished(() => replicas.close())
    const answers = []
    for (const email of [known.email, `${newId('user')}@nowhere.example`, await invited()]) {
      verifications.mockClear()
      const body = { email, password: 'wrong', origin: { address: newAddress(), user_agent: 'test' } }
      answers.push(await replicas.run('sign_in', body).catch(({ status, body }) => ({ status, body })))
      expect(verifications).toHaveBeenCalledTimes(1)
      // The time depends on memory, passes and lanes.
      expect(verifications.mock.calls[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(verifications.mock.calls[0]?.[1]).toBe('wrong')
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { errors: [{ code: 40103 }] } })
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  })

  test('the password of the decoy hash opens no account', async () => {
    expect((await signIn(await invited(), 'nobody has this password')).status).toBe(401)
  })
})

describe('an account, from one address', () => {
  const most = attemptLimits.sign_in_per_account_and_address
  const attempts = sized(40, 200)
  test(`${most} of ${attempts} concurrent wrong passwords are checked`, async () => {
    const { email } = await newAccount()
    const address = newAddress()
    expect(statuses(await times(attempts, () => signIn(email, 'wrong', address)))).toEqual({
      401: most,
      429: attempts - most,
    })
    expect(verifications).toHaveBeenCalledTimes(most)
  })

  test('past the limit even the right password is refused, with the time to wait, and accepted ten minutes later', async () => {
    const { email } = await newAccount()
    const address = newAddress()
    await times(most, () => signIn(email, 'wrong', address))
    const refused = await signIn(email.toUpperCase(), password, address)
    expect(refused).toMatchObject({ status: 429, body: { errors: [{ code: 42902 }] } })
    expect(refused.body.errors?.[0]?.message).toMatch(/10 minutes/)
    service.clock.offsetSeconds += attemptWindowSeconds + 1
    expect((await signIn(email, password, address)).status).toBe(200)
  })

  test('is not locked out by attempts from elsewhere', async () => {
    const { email } = await newAccount()
    const elsewhere = newAddress()
    await times(2 * most, () => signIn(email, 'wrong', elsewhere))
    expect((await signIn(email, password, elsewhere)).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
  })

  test('has its attempts reset by the right password, which does not count against the address', async () => {
    const accounts = await times(3, newAccount)
    const address = newAddress()
    for (const { email } of [...accounts, ...accounts]) {
      await times(most - 1, () => signIn(email, 'wrong', address))
      expect((await signIn(email, password, address)).status).toBe(200)
    }
    const left = attemptLimits.sign_in_per_address - 3 * (most - 1)
    await times(left, at => signIn(`${at}-${newId('user')}@nowhere.example`, 'wrong', address))
    const { email } = await newAccount()
    expect((await signIn(email, password, address)).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
  })

  test('where the person has signed in before has ten attempts, which neither guesses from elsewhere nor those at other accounts use up', async () => {
    const { email } = await newAccount()
    const [home, elsewhere] = [newAddress(), newAddress()]
    expect((await signIn(email, password, home)).status).toBe(200)
    await times(attemptLimits.sign_in_per_account, () => signIn(email, 'wrong'))
    await times(attemptLimits.sign_in_per_address, at =>
      signIn(`${at}-${newId('user')}@nowhere.example`, 'wrong', home),
    )
    expect((await signIn(email, password, elsewhere)).status).toBe(429)
    expect((await signIn(email, password, home)).status).toBe(200)
    verifications.mockClear()
    expect(statuses(await times(3 * most, () => signIn(email, 'wrong', home)))).toEqual({
      401: most,
      429: 2 * most,
    })
    expect(verifications).toHaveBeenCalledTimes(most)
  })

  test('30 concurrent right passwords each open exactly one session, or are told to wait', async () => {
    const { email, id } = await newAccount()
    const address = newAddress()
    const { 200: opened = 0, 429: late = 0 } = statuses(
      await times(30, () => signIn(email, password, address)),
    )
    expect(opened).toBeGreaterThanOrEqual(most)
    expect(opened + late).toBe(30)
    const [sessions] = await service.sql`
      select count(*)::int as count from auth_tokens.sessions where user_id = ${id}`
    expect(sessions).toEqual({ count: opened })
  })
})

const forOne = sized(120, 200)
test(`100 of ${forOne} concurrent wrong passwords for an account, each from another address, are checked`, async () => {
  const most = attemptLimits.sign_in_per_account
  const { email } = await newAccount()
  expect(statuses(await times(forOne, () => signIn(email, 'wrong')))).toEqual({
    401: most,
    429: forOne - most,
  })
  expect((await signIn(email)).status).toBe(429)
  service.clock.offsetSeconds += attemptWindowSeconds + 1
  expect((await signIn(email)).status).toBe(200)
})

const accountsTried = sized(70, 200)
test.each([
  ['one address', () => '198.51.100.9'],
  ['one /64 of IPv6', (at: number) => `2001:db8:0:7::${(at + 1).toString(16)}`],
  ['one address, written in two ways', (at: number) => (at % 2 ? '::ffff:192.0.2.77' : '192.0.2.77')],
])(`50 of ${accountsTried} accounts tried at once from %s are checked`, async (_what, addressOf) => {
  const most = attemptLimits.sign_in_per_address
  const answers = await times(accountsTried, at =>
    signIn(`${at}-${newId('user')}@nowhere.example`, 'wrong', addressOf(at)),
  )
  expect(statuses(answers)).toEqual({ 401: most, 429: accountsTried - most })
})

test('the table of attempts has neither email nor network addresses', async () => {
  const email = `${newId('user')}@secret.example`
  await signIn(email, 'wrong', '198.51.100.201')
  const rows = await service.sql`select bucket from auth_tokens.attempts`
  const all = rows.map(({ bucket }) => bucket).join('\n')
  expect(all).toContain('sign_in_per_account ')
  expect(all).not.toContain('secret.example')
  expect(all).not.toContain('198.51.100.201')
})

test('a sign-in that is refused because too many are waiting uses up no attempt', async () => {
  const { email } = await newAccount()
  let busy = true
  const real = createPasswords()
  const replicas = freezeReplicas(service.databaseUrl, {
    passwords: {
      ...real,
      verify: (...asked) => (busy ? Promise.reject(refusal('overloaded')) : real.verify(...asked)),
    },
  })
  try {
    const body = { email, password, origin: { address: newAddress(), user_agent: '' } }
    for (let at = 0; at < 3 * attemptLimits.sign_in_per_account_and_address; at++) {
      await expect(replicas.run('sign_in', body)).rejects.toMatchObject({ reason: 'overloaded' })
    }
    busy = false
    expect(await replicas.run('sign_in', body)).toMatchObject({ token: expect.any(String) })
  } finally {
    await replicas.close()
  }
})

const [inAll, several] = [sized(96, 500), sized(6, 20)]
/** The first of every three accounts gets wrong passwords only, the second the right one only, the third both. */
function secretFor(at: number) {
  const [kind, turn] = [(at % several) % 3, Math.floor(at / several)]
  return kind === 0 || (kind === 2 && turn % 3 > 0) ? 'wrong' : password
}
test(`every answer to ${inAll} concurrent attempts on ${several} accounts is a documented one`, async () => {
  const accounts = await times(several, newAccount)
  const addresses = accounts.map(newAddress)
  const answers = await times(inAll, at =>
    signIn(accounts[at % several]?.email ?? '', secretFor(at), addresses[at % several]),
  )
  const documented = new Set([200, 401, 429, 503])
  expect(answers.filter(({ status }) => !documented.has(status))).toEqual([])
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect(answers.some(({ status }) => status === 429)).toBe(true)
  const text = JSON.stringify(answers)
  expect(text).not.toContain('argon2')
  expect(text).not.toContain(password)
})

describe('a password that devices write differently', () => {
  const composed = 'crème brûlée à la carte'
  const decomposed = composed.normalize('NFD')
  const hashesOf = async (email: string) => {
    const [user] = await service.sql`select password_hash from auth_tokens.users where email = ${email}`
    return String(user?.password_hash)
  }
  const accountWith = async (secret: string) => {
    const email = `${newId('user')}@test.example`
    await service.ask('put_user', internal(), { body: { email, password: secret } })
    return email
  }

  test.each([
    ['composed letters', composed],
    ['decomposed letters', decomposed],
    ['full-width letters', 'ｃorrect horse battery'],
    ['a space that does not break', 'correct\u00a0horse battery'],
  ])('%s: it is the same in each form', async (_, secret) => {
    const email = await accountWith(secret)
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      expect([form, (await signIn(email, secret.normalize(form))).status]).toEqual([form, 200])
    expect((await signIn(email, secret.toUpperCase())).status).toBe(401)
  })

  test.each([
    ['composed', composed, decomposed],
    ['decomposed', decomposed, composed],
    ['decomposed', decomposed, decomposed],
  ])('the hash of before, of %s letters, is replaced once', async (_, stored, typed) => {
    const email = await accountWith(composed)
    await service.sql`
      update auth_tokens.users set password_hash = ${await hash(stored, { memoryCost: 8, timeCost: 1 })} where email = ${email}`
    const before = await hashesOf(email)
    // At the same moment: the first that stores the new hash does not turn the others away.
    const answers = await times(4, () => signIn(email, typed))
    expect(statuses(answers)).toEqual({ 200: 4 })
    const after = await hashesOf(email)
    if (stored === composed) expect(after).toBe(before)
    else expect(after).not.toBe(before)
    expect((await signIn(email, composed)).status).toBe(200)
    expect(await hashesOf(email)).toBe(after)
  })
})
