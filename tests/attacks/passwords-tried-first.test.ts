// Anyone with a list of common passwords and addresses: ten guesses in ten minutes from each network address open
// accounts that are protected by `password1` or the person's own name.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ApiError } from '@svc/contract/core/errors'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseWeakPassword } from '../../services/auth-tokens/src/credentials/refuse-weak-password.ts'

const program = { caller: { kind: 'internal', id: 'test' } } as const
const origin = { address: '', user_agent: 'attack' }

let product: Product
let gateway: { call: CallBus; close(): Promise<void> }
beforeAll(async () => {
  product = await joinProduct()
  const bus = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  gateway = { call: createCall(bus), close: () => bus.close() }
})
afterAll(async () => {
  await gateway?.close()
  await product?.stop()
})

const newAddress = () => `${newId('user')}.lovelace@analytical.engines.example`

const resultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'set',
    (error: ApiError) => {
      const { errors } = error.body as { errors: { code: number; path?: string[]; message: string }[] }
      return `${errors[0]?.code} ${errors[0]?.path} ${errors[0]?.message}`
    },
  )

/** As the mail sender leaves it behind. */
async function newLink(email: string) {
  const hash = hashCredential(createSessionToken())
  await product.sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (decode(${hash}, 'hex'), ${email}, now(), now() + interval '1 day')`
  return hash
}

const ways = {
  'by the link of a message': async (email: string, password: string) => {
    const body = { hash: await newLink(email), password, origin }
    return invoke(gateway.call, authTokens, 'complete_verification', { ...program, body })
  },
  'by an operator, for an owner': (email: string, password: string) =>
    invoke(product.backoffice, authTokens, 'create_owner', {
      ...program,
      body: { email, workspace_name: 'Guessed', password },
    }),
  'by a program': (email: string, password: string) =>
    invoke(product.backoffice, authTokens, 'put_user', { ...program, body: { email, password } }),
}

const common = [
  'password',
  'PASSWORD',
  'password1',
  'Password2026!',
  'P@ssw0rd',
  'pass word',
  '12345678',
  'qwertyuiop',
  'ｐａｓｓｗｏｒｄ',
  'iloveyou!!',
  'sunshine99',
]
const ofAddress = ['analytical1', 'The Analytical', 'my-engines-22', 'ENGINES engines']
const good = [
  'a good long password',
  'correct horse battery staple',
  'mein Ölberg im Nebel',
  'tr0ub4dor and three',
]

const tooCommon = '40002 password The password is too common and easily guessed. Choose another one.'
const partOfAddress = '40002 password The password contains part of the email address. Choose another one.'

test.each([
  ...common.map(password => [password, tooCommon]),
  ...ofAddress.map(password => [password, partOfAddress]),
  ...good.map(password => [password, 'set']),
])('the password %s: %s', async (password = '', result) => {
  expect(await resultOf(refuseWeakPassword(password, newAddress()))).toBe(result)
})

test.each(Object.entries(ways))(
  '%s refuses a common password and a part of the address, and accepts a good one',
  async (_, set) => {
    for (const [password = '', result] of [
      [common[0], tooCommon],
      [ofAddress[0], partOfAddress],
      [good[0], 'set'],
    ])
      expect(await resultOf(set(newAddress(), password))).toBe(result)
  },
)

test('the part before the @, with and without its punctuation', async () => {
  for (const password of ['grace.hopper', 'GraceHopper 1906', 'so-grace-hopper']) {
    await expect(refuseWeakPassword(password, 'grace.hopper@navy.example')).rejects.toMatchObject({
      tag: 'Validation',
    })
  }
  await refuseWeakPassword('amazing grass', 'ama@gra.example')
})

test('a domain of other letters, as they are typed', async () => {
  const email = `${newId('user')}@bücherei.example`
  expect(await resultOf(ways['by a program'](email, 'Bu\u0308cherei 22'))).toContain(
    'part of the email address',
  )
})

test('a link stays valid after its password was refused', async () => {
  const email = newAddress()
  const hash = await newLink(email)
  const choose = (password: string) =>
    resultOf(
      invoke(gateway.call, authTokens, 'complete_verification', {
        ...program,
        body: { hash, password, origin },
      }),
    )
  expect(await choose('password1')).toContain('40002')
  expect(await choose('a good long password')).toBe('set')
})

test('an existing password of this kind still signs in', async () => {
  const email = newAddress()
  await invoke(product.backoffice, authTokens, 'put_user', {
    ...program,
    body: { email, password: 'a good long password' },
  })
  // argon2id of "password1", as stored before lists were checked.
  const { hash } = await import('@node-rs/argon2')
  const stored = await hash('password1')
  await product.sql`update auth_tokens.users set password_hash = ${stored} where email = ${email}`
  const body = { email, password: 'password1', origin }
  expect(await resultOf(invoke(gateway.call, authTokens, 'sign_in', { ...program, body }))).toBe('set')
})
