// At rest nobody can sign with a key of the database; keys from before they were sealed sign on, until they are.
import { sealedWith } from '@svc/runtime/seal'
import { testSeal } from '@svc/testing/seal'
import { expect, test } from 'vitest'
import { nextKeyKnownForSeconds } from '../../src/signing-keys/signing-keys.ts'
import { internal } from '../running-service.ts'
import { signingScene, tokenOf } from './signing-scene.ts'

const scene = signingScene()
const { exchange, listed, newSession, verify } = scene

const stored = () => scene.service.sql<{ kid: string; private_jwk: string | Record<string, string> }[]>`
  select kid, private_jwk from auth_tokens.signing_keys order by kid`
const reseal = async () => {
  const { status, body } = await scene.service.ask('reseal', internal())
  expect(status).toBe(200)
  return body.resealed
}

async function expectSealed() {
  for (const { private_jwk } of await stored()) {
    expect(sealedWith(String(private_jwk))).toBe(testSeal.keyId)
  }
}

test('keys are sealed, each for its own row', async () => {
  await expectSealed()
  const [one, other] = await stored()
  const text = String(one?.private_jwk)
  expect(JSON.parse(testSeal.unseal(text, `signing_keys ${one?.kid}`))).toMatchObject({
    kty: 'EC',
    d: expect.any(String),
  })
  expect(() => testSeal.unseal(text, `signing_keys ${other?.kid}`)).toThrow()
  expect(await reseal()).toBe(0)
})

test('keys from before sealing sign, and are sealed by reseal', async () => {
  const { sql } = scene.service
  const { hash } = await newSession()
  const keys = await stored()
  for (const { kid, private_jwk } of keys) {
    const clear = JSON.parse(testSeal.unseal(String(private_jwk), `signing_keys ${kid}`))
    await sql`update auth_tokens.signing_keys set private_jwk = ${sql.json(clear)} where kid = ${kid}`
  }
  // The key that signs now was not read before.
  expect((await scene.service.ask('rotate_signing_keys', internal())).status).toBe(200)
  await verify(tokenOf(await exchange(hash)), await listed())
  expect(await reseal()).toBe(keys.length)
  await expectSealed()
  scene.service.clock.offsetSeconds += nextKeyKnownForSeconds + 1
  expect((await scene.service.ask('rotate_signing_keys', internal())).status).toBe(200)
  await verify(tokenOf(await exchange(hash)), await listed())

  // What the operator did, and to which key; nothing of the keys themselves.
  const retired = (await stored()).length
  const [old] = await sql`select kid from auth_tokens.signing_keys where state = 'retired'`
  await scene.service.ask('remove_signing_key', internal(), { body: { kid: old?.kid } })
  expect(await stored()).toHaveLength(retired - 1)
  const told = await sql`
    select substr(subject, 8) as type, aggregate_id, payload, actor ->> 'kind' as kind, changes
    from auth_tokens.outbox
    where subject ~ '^events\.(signing_keys|secrets)\.' and actor ->> 'kind' = 'internal'
    order by sequence desc limit 4`
  expect(told.toReversed()).toMatchObject([
    { type: 'signing_keys.rotated', payload: { retired: expect.any(String) } },
    {
      type: 'secrets.resealed',
      aggregate_id: 'signing_keys',
      payload: { count: keys.length },
      changes: null,
    },
    { type: 'signing_keys.rotated', payload: { retired: expect.any(String) } },
    { type: 'signing_keys.removed', aggregate_id: old?.kid, payload: {}, changes: null },
  ])
})
