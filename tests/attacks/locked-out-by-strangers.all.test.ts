// Anyone who knows a person's address, from eleven network addresses: a hundred wrong passwords every ten minutes kept
// that person from signing in for as long as it went on.
// In `npm test`: services/auth-tokens/test/sessions/sign-in.test.ts and test/device-grant/guessing.test.ts.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ApiError } from '@svc/contract/core/errors'
import { createSessionToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { unhurried } from '@svc/testing/size'
import type { Product } from '@svc/testing/stack/stack'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Jar } from '../../services/gateway/test/web/cookie-jar.ts'

const browserCookie = '__Host-svc_browser'

let product: Product
let gateway: { call: CallBus; close(): Promise<void> }
beforeAll(async () => {
  product = await joinProduct()
  const bus = await connectBus(product.stack.bus('gateway'), { info() {}, warn() {}, error() {} })
  gateway = { call: createCall(bus), close: () => bus.close() }
})
afterAll(async () => {
  await gateway?.close()
  await product?.stop()
})

async function newPerson() {
  const email = `${newId('user')}@victims.example`
  // With the owner's password, since hashing another takes long.
  await product.sql`
    insert into auth_tokens.users (id, email, password_hash)
    select ${newId('user')}, ${email}, password_hash from auth_tokens.users where email = ${product.dev.owner.email}`
  return { email, password: product.dev.owner.password }
}

const urlOf = (at: number) => product.stack.gateways[at]?.url ?? ''

/** As a browser on the page: 303 is signed in, 422 a wrong password, 429 too many attempts. */
async function signIn(jar: Jar, sent: { email: string; password: string }, at = 0) {
  const { csrf } = await jar.ask(`${urlOf(at)}/sign-in`)
  return jar.ask(`${urlOf(at)}/sign-in`, { form: { ...sent, _csrf: csrf } })
}

/** A browser in which this person has signed in, and out again. */
async function knownBrowser(person: { email: string; password: string }) {
  const jar = new Jar()
  expect((await signIn(jar, person)).status).toBe(303)
  const { csrf } = await jar.ask(`${urlOf(0)}/sessions`)
  expect((await jar.ask(`${urlOf(0)}/sign-out`, { form: { _csrf: csrf } })).status).toBe(303)
  expect(jar.cookies.get(browserCookie)).toBeDefined()
  return jar
}

/** Another browser with a stolen copy of the cookie. */
function copyOf(jar: Jar): Jar {
  const copy = new Jar()
  copy.cookies.set(browserCookie, jar.cookies.get(browserCookie) ?? '')
  return copy
}

/** From another network each time, as the gateway sends it. */
const signInElsewhere = (email: string, password: string): Promise<string> =>
  invoke(gateway.call, authTokens, 'sign_in', {
    caller: { kind: 'internal', id: 'test' },
    body: {
      email,
      password,
      origin: { address: `2001:db8:${randomBytes(2).toString('hex')}::1`, user_agent: 'attack' },
      browser_hashes: [],
    },
    deadline: unhurried(),
  }).then(
    () => 'in',
    (error: ApiError) => error.tag,
  )

/**
 * A hundred and twenty guesses. Returns how many were checked. Two at a time, which makes no difference to the attack:
 * more waiting password checks would refuse the sign-ins of other tests.
 */
async function attack(email: string): Promise<number> {
  const answers: string[] = []
  const guesser = async () => {
    for (let at = 0; at < 60; at++) answers.push(await signInElsewhere(email, 'a guess'))
  }
  await Promise.all([guesser(), guesser()])
  expect(new Set(answers)).toEqual(new Set(['Unauthorized', 'RateLimited']))
  return answers.filter(answer => answer === 'Unauthorized').length
}

describe('strangers who use up the attempts of an account', () => {
  test('do not keep its owner out of a browser that they signed in with before, at either gateway, nor where they did', async () => {
    const person = await newPerson()
    const home = await knownBrowser(person)
    expect(await attack(person.email)).toBe(100)
    expect(await signInElsewhere(person.email, person.password)).toBe('RateLimited')
    expect((await signIn(new Jar(), person)).status).toBe(303)
    for (const at of [1, 0, 1]) expect((await signIn(copyOf(home), person, at)).status).toBe(303)
  })

  test('gain nothing from cookies that they made up, or got with their own account', async () => {
    const [person, stranger] = [await newPerson(), await newPerson()]
    const theirs = (await knownBrowser(stranger)).cookies.get(browserCookie) ?? ''
    await attack(person.email)
    const plain = await signIn(new Jar(), person)
    expect(plain.headers.get('retry-after')).toMatch(/^\d+$/)
    const made = [
      theirs,
      createSessionToken(),
      `${theirs}.${createSessionToken()}`,
      'x',
      '.....',
      'a'.repeat(4000),
    ]
    for (const value of made) {
      const jar = new Jar()
      jar.cookies.set(browserCookie, value)
      const answer = await signIn(jar, person)
      expect(answer.status).toBe(429)
      expect(answer.text.replace(/\d+ (seconds|minutes)|value="[^"]*"/g, '')).toBe(
        plain.text.replace(/\d+ (seconds|minutes)|value="[^"]*"/g, ''),
      )
      expect(jar.cookies.get(browserCookie)).toBe(value)
    }
    // And for an unknown account as for an existing one.
    const nobody = { email: `${newId('user')}@nowhere.example`, password: 'a guess' }
    expect(await attack(nobody.email)).toBe(100)
    const jar = new Jar()
    jar.cookies.set(browserCookie, theirs)
    expect((await signIn(jar, nobody)).status).toBe(429)
  })
})

test('a stolen browser cookie allows ten guesses in ten minutes, of 40 at once over two gateways', async () => {
  const person = await newPerson()
  const home = await knownBrowser(person)
  const wrong = { ...person, password: 'a guess' }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => signIn(copyOf(home), wrong, at % 2)),
  )
  const count = (status: number) => answers.filter(answer => answer.status === status).length
  expect({ looked_at: count(422), refused: count(429) }).toEqual({ looked_at: 10, refused: 30 })
  // The owner can sign in from any other browser meanwhile: guesses with the cookie do not count against the account.
  expect((await signIn(new Jar(), person)).status).toBe(303)
})
