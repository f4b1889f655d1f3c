// svc licences verify: without a network, a sign-in and a configured address.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { svc } from './svc-here.ts'

const folder = await mkdtemp(join(tmpdir(), 'licences-'))
afterAll(() => rm(folder, { recursive: true }))
const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
const claims = {
  iss: 'https://svc.example/workspaces/ws_a',
  aud: 'prod_a',
  sub: 'inst_a',
  exp: 4_000_000_000,
}
const sign = (changed: object = {}) =>
  new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: 'ES256', typ: 'licence+jwt', kid: 'first' })
    .sign(privateKey)
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const keys = await file(
  'keys.json',
  JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'first' }] }),
)
// Nothing listens there.
const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
const verify = (path: string, ...more: string[]) =>
  svc(['licences', 'verify', path, '--keys', keys, '--json', ...more], env)

test('a licence is verified from a file with the text or with the answer', async () => {
  const licence = await sign()
  for (const path of [
    await file('licence.jwt', `${licence}\n`),
    await file('licence.json', JSON.stringify({ licence })),
  ]) {
    const { code, out } = await verify(path, '--audience', 'prod_a')
    expect([code, JSON.parse(out)]).toEqual([0, claims])
  }
})

test.each<[string, object, string[], string]>([
  ['one that has ended', { exp: 1 }, [], 'The licence has ended.'],
  ['one for another product', {}, ['--audience', 'prod_b'], 'The licence is for another product.'],
  ['one of another seller', {}, ['--issuer', 'https://svc.example/workspaces/ws_b'], 'of another seller'],
])('%s is refused with the reason', async (_, changed, options, sentence) => {
  const { code, out } = await verify(await file('other.jwt', await sign(changed)), ...options)
  expect([code, out]).toEqual([1, expect.stringContaining(sentence)])
})
