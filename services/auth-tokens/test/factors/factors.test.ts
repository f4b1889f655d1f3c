// Passkeys, TOTP and recovery codes: how they are added, prove their person once, and are removed.
import { pendingSignInSeconds } from '@svc/contract/auth-tokens/factors'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { createAuthenticator } from '@svc/testing/authenticator'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { bucketOf } from '../../src/credentials/attempts.ts'
import { createLinks } from '../people/links-scene.ts'
import { summaryOf } from '../people-scene.ts'
import { password } from '@svc/testing/password'
import { type Answer, internal, shareService } from '../running-service.ts'
import { createFactors, site } from './factors-scene.ts'

const service = forFile(shareService)
const scene = createFactors(service)
const links = createLinks(service)

/** How often each status was answered. */
const statuses = (answers: readonly Answer[]) => {
  const counted: Record<number, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

const codePattern = /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/

test('the first factor is permitted by the password and gives ten recovery codes, the next one by a factor', async () => {
  const person = await scene.newPerson()
  const { key, codes, id } = await scene.addPasskey(person)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(codePattern)

  expect(summaryOf(await scene.start(person, 'totp'))).toBe('401 40108')
  const totp = await scene.addTotp(person, { passkey: key.get(await scene.options(person)) })
  expect(totp.answer.body).toEqual({ recovery_codes: null })
  expect(await scene.list(person)).toMatchObject({
    passkeys: [{ id, name: 'Test key', last_used_at: expect.any(Number) }],
    totp: { created_at: expect.any(Number) },
    recovery_codes: 10,
  })
  expect(await scene.eventsOf(person)).toEqual(['added', 'added'])
  expect(await scene.mailOf(person)).toEqual(['passkey_added', 'totp_added'])
  const [stored] =
    await service.sql`select sealed from auth_tokens.totp_factors where user_id = ${person.user}`
  expect(stored?.sealed).not.toContain(totp.secret)
})

test('a person with a factor gets no session for the right password or a mailed link before it is proven', async () => {
  const person = await scene.newPerson()
  const { secret } = await scene.addTotp(person)
  const sessions = async () =>
    (await service.sql`select from auth_tokens.sessions where user_id = ${person.user}`).length
  const before = await sessions()

  const byPassword = await scene.pending(person)
  expect(byPassword).toMatchObject({ outcome: 'pending' })
  expect(await sessions()).toBe(before)
  const hash = await links.newLink(person.email)
  const { body } = await links.complete(hash, 'another long password')
  expect(body).toEqual({ outcome: 'pending', token: expect.any(String), expires_at: expect.any(Number) })
  expect(await sessions()).toBe(0)
  // The link has set a password, which ends sign-ins with the old one.
  expect((await byPassword.read()).body).toMatchObject({ has_ended: true })

  // What waits is no session anywhere.
  const token = String(body.token)
  expect(await links.userOf(token)).toBeUndefined()
  const pending = hashCredential(token)
  const exchanged = await service.ask('exchange_session', internal(), { body: { hash: pending } })
  expect(exchanged.body).toEqual({ outcome: 'invalid_session' })
  const caller = { ...person.session, id: pending }
  const decision = { grant_id: newId('grant'), decision: 'approved' }
  expect((await service.ask('decide_device_grant', caller, { body: decision })).body).toEqual({
    outcome: 'unknown',
  })

  const { status, body: opened } = await scene.complete(pending, { code: scene.nextCode(secret) })
  expect(status).toBe(200)
  expect(await links.userOf(opened.token)).toBe(person.user)
})

test('a pending sign-in ends after five minutes, and with the first factor that completes it', async () => {
  const person = await scene.newPerson()
  const { secret, codes } = await scene.addTotp(person)
  service.clock.stop()
  const [first, second] = [await scene.pending(person), await scene.pending(person)]
  expect((await scene.complete(first.hash, { code: scene.nextCode(secret) })).status).toBe(200)
  expect(summaryOf(await scene.complete(first.hash, { code: codes[0] }))).toBe('401 40107')
  service.clock.offsetSeconds += pendingSignInSeconds - 31
  expect((await second.read()).body).toMatchObject({ has_ended: false, has_totp: true })
  service.clock.offsetSeconds += 2
  expect((await second.read()).body).toMatchObject({ has_ended: true })
  expect(summaryOf(await scene.complete(second.hash, { code: codes[0] }))).toBe('401 40107')
})

test('each step of TOTP counts once, also that of the first code', async () => {
  const person = await scene.newPerson()
  service.clock.stop()
  const { secret } = await scene.addTotp(person)
  const tried = async (code: string) =>
    summaryOf(await scene.complete((await scene.pending(person)).hash, { code }))
  expect(await tried(scene.codeOf(secret))).toBe('422 42217')
  const code = scene.nextCode(secret)
  expect(await tried(code.replace(/^.../, '$& '))).toBe('200')
  expect(await tried(code)).toBe('422 42217')
  // The clocks of phones are not exact.
  const ahead = scene.nextCode(secret)
  service.clock.offsetSeconds -= 30
  expect(await tried(ahead)).toBe('200')
})

test('one of many callers with the same code is accepted, for each kind of proof', async () => {
  const person = await scene.newPerson()
  const { secret, codes } = await scene.addTotp(person)
  const proof = { code: scene.nextCode(secret) }
  const { key } = await scene.addPasskey(person, proof)
  const { hash, options } = await scene.pending(person)
  const passkey = key.get(await options())
  const many = sized(50, 500)
  const tries: [object, (string | undefined)[]][] = [
    [{ code: scene.nextCode(secret) }, []],
    [{ code: codes[0] }, []],
    [{ passkey }, Array(many).fill(hash)],
  ]
  for (const [tried, own] of tries) {
    // A right code gives its attempt back, and the others wait for nothing.
    await service.sql`
      delete from auth_tokens.attempts where bucket = ${bucketOf('factor_codes_per_account', person.user)}`
    const waiting =
      own.length > 0
        ? own
        : await Promise.all(Array.from({ length: 5 }, async () => (await scene.pending(person)).hash))
    const answers = await Promise.all(
      Array.from({ length: many }, (_, at) => scene.complete(waiting[at % waiting.length], tried)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('five wrong codes in ten minutes are all that an account has, over all replicas and for all that asks for one', async () => {
  const person = await scene.newPerson()
  const { secret, codes } = await scene.addTotp(person)
  service.clock.stop()
  const { hash } = await scene.pending(person)
  const wrong = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 ? scene.complete(hash, { code: 'wrong' }) : scene.remove(person, 'totp', { code: '000000' }),
    ),
  )
  expect(statuses(wrong)).toEqual({ 422: 5, 429: 15 })
  expect(summaryOf(await scene.complete(hash, { code: scene.nextCode(secret) }))).toBe('429 42902')
  const refused = await scene.remove(person, 'totp', { code: codes[0] })
  expect(summaryOf(refused)).toBe('429 42902')
  expect(refused.body.errors?.[0]?.message).toContain('set a new one')
  expect(await scene.mailOf(person)).toEqual(['totp_added', 'locked_out'])
  service.clock.offsetSeconds += 600
  const later = await scene.pending(person)
  for (const code of codes.slice(0, 6)) {
    const { hash: next } = code === codes[0] ? later : await scene.pending(person)
    expect((await scene.complete(next, { code })).status).toBe(200)
  }
})

test('a recovery code counts once, as it may be typed, and is reported', async () => {
  const person = await scene.newPerson()
  const { codes } = await scene.addPasskey(person)
  const [code = ''] = codes
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('1', 'I').replaceAll('0', 'O')}`
  expect((await scene.complete((await scene.pending(person)).hash, { code: typed })).status).toBe(200)
  expect(summaryOf(await scene.complete((await scene.pending(person)).hash, { code }))).toBe('422 42217')
  expect(await scene.list(person)).toMatchObject({ recovery_codes: 9 })
  expect(await scene.eventsOf(person)).toEqual(['added', 'recovery_code_used'])
  expect(await scene.mailOf(person)).toEqual(['passkey_added', 'recovery_code_used'])

  const created = await service.ask('create_recovery_codes', person.session, {
    body: { proof: { code: codes[1] } },
  })
  expect(created.body.recovery_codes).toHaveLength(10)
  expect(summaryOf(await scene.complete((await scene.pending(person)).hash, { code: codes[2] }))).toBe(
    '422 42217',
  )
  expect(await scene.list(person)).toMatchObject({ recovery_codes: 10 })
})

test('a passkey that verifies its user signs in alone, and one that does not needs the password', async () => {
  const [one, other] = [await scene.newPerson(), await scene.newPerson()]
  const { key } = await scene.addPasskey(one)
  const weak = createAuthenticator(site, { verifies: false })
  await scene.addPasskey(other, undefined, weak)
  const options = async () =>
    (await service.ask('read_pending_sign_in', internal(), { body: {} })).body.options as object
  expect(await options()).not.toHaveProperty('allowCredentials')
  const { body } = await scene.complete(undefined, { passkey: key.get(await options()) })
  expect(await links.userOf(body.token)).toBe(one.user)
  expect(summaryOf(await scene.complete(undefined, { passkey: weak.get(await options()) }))).toBe('422 42217')
  const { hash, options: own } = await scene.pending(other)
  expect((await scene.complete(hash, { passkey: weak.get(await own()) })).status).toBe(200)
  expect(summaryOf(await scene.complete(undefined, { code: '123456' }))).toBe('422 42217')
})

test('a counter that does not grow is an event and refuses nothing', async () => {
  const person = await scene.newPerson()
  const { key } = await scene.addPasskey(person)
  const signIn = async () => {
    const { hash, options } = await scene.pending(person)
    return (await scene.complete(hash, { passkey: key.get(await options()) })).status
  }
  expect(await signIn()).toBe(200)
  key.rewind(0)
  expect(await signIn()).toBe(200)
  expect(await scene.eventsOf(person)).toEqual(['added', 'counter_stalled'])
})

test('a factor is removed only with a factor or a recovery code, and recovery codes go with the last one', async () => {
  const person = await scene.newPerson()
  const { key, id, codes } = await scene.addPasskey(person)
  const options = () => scene.options(person)
  expect(summaryOf(await scene.remove(person, id, { password }))).toMatch(/^400 40002/)
  const other = await scene.newPerson()
  const { key: foreign } = await scene.addPasskey(other)
  expect(summaryOf(await scene.remove(person, id, { passkey: foreign.get(await options()) }))).toBe(
    '422 42217',
  )
  expect(summaryOf(await scene.remove(other, id, { passkey: foreign.get(await scene.options(other)) }))).toBe(
    '404 40402 id',
  )
  const second = await scene.addPasskey(person, { passkey: key.get(await options()) })
  expect((await scene.remove(person, second.id, { code: codes[0] })).status).toBe(200)
  // It proves its own removal.
  expect((await scene.remove(person, id, { passkey: key.get(await options()) })).status).toBe(200)
  expect(await scene.list(person)).toEqual({ passkeys: [], totp: null, recovery_codes: 0, options: null })
  expect((await scene.signIn(person)).body).toMatchObject({ outcome: 'opened' })
  expect((await scene.eventsOf(person)).sort()).toEqual([
    'added',
    'added',
    'recovery_code_used',
    'removed',
    'removed',
  ])
})

test('an account has at most ten passkeys and one authenticator app, however many are added at once', async () => {
  const person = await scene.newPerson()
  const { key } = await scene.addPasskey(person)
  const { codes } = await scene.addTotp(person, { passkey: key.get(await scene.options(person)) })
  expect(codes).toBeNull()
  expect(
    summaryOf(await scene.start(person, 'totp', { passkey: key.get(await scene.options(person)) })),
  ).toBe('409 40905')
  const started = []
  for (let at = 0; at < 12; at++) {
    const proof = { passkey: key.get(await scene.options(person)) }
    started.push(scene.optionsOf(await scene.start(person, 'passkey', proof)))
  }
  const answers = await Promise.all(
    started.map(options =>
      service.ask('add_passkey', person.session, {
        body: { name: 'Another', passkey: createAuthenticator(site).create(options) },
      }),
    ),
  )
  expect(statuses(answers)).toEqual({ 200: 9, 422: 3 })
})

test('factors that are added first at once make one set of recovery codes, and the password permits one of them', async () => {
  const person = await scene.newPerson()
  const started = await Promise.all(Array.from({ length: 6 }, () => scene.start(person, 'passkey')))
  const answers = await Promise.all(
    started.map(answer =>
      service.ask('add_passkey', person.session, {
        body: { name: 'First', passkey: createAuthenticator(site).create(scene.optionsOf(answer)) },
      }),
    ),
  )
  expect(statuses(answers)).toEqual({ 200: 1, 422: 5 })
  expect(await scene.list(person)).toMatchObject({ recovery_codes: 10 })
})

test('the operator removes all factors of a person, who is told', async () => {
  const person = await scene.newPerson()
  const { key } = await scene.addPasskey(person)
  await scene.addTotp(person, { passkey: key.get(await scene.options(person)) })
  const reset = () => service.ask('reset_factors', internal(), { body: { email: person.email } })
  expect((await reset()).body).toEqual({ id: person.user })
  expect((await reset()).status).toBe(200)
  expect((await scene.signIn(person)).body).toMatchObject({ outcome: 'opened' })
  expect(await scene.eventsOf(person)).toEqual(['added', 'added', 'reset'])
  expect(await scene.mailOf(person)).toEqual(['passkey_added', 'totp_added', 'reset'])
})
