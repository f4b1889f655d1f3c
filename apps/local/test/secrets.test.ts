import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSecrets, natsEnv, newSecrets } from '../src/secrets.ts'
import { tempFolder } from './temp-folder.ts'

test('simultaneous starts get the same passwords, and only the owner may read them', async () => {
  const folder = join(await tempFolder(), '.svc')
  const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(folder)))
  expect(new Set(all.map(secrets => JSON.stringify(secrets))).size).toBe(1)
  expect(await loadSecrets(folder)).toEqual(all[0])
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secrets.json'])
})

test('missing passwords are added to the file, and the others are kept', async () => {
  const folder = await tempFolder()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ nats: { gateway: 'kept' } }))
  const secrets = await loadSecrets(folder)
  expect(secrets.nats.gateway).toBe('kept')
  expect(secrets.postgres.offers).toMatch(/^pw/)
  expect(await loadSecrets(folder)).toEqual(secrets)
})

test('a broken file is reported and not replaced', async () => {
  const folder = await tempFolder()
  await writeFile(join(folder, 'secrets.json'), '{"nats":')
  await expect(loadSecrets(folder)).rejects.toThrow(join(folder, 'secrets.json'))
})

test('every user of the bus has its variable', () => {
  const env = natsEnv(newSecrets())
  expect(Object.keys(env)).toContain('NATS_AUTH_TOKENS_PASSWORD')
  const { NATS_AGENT_ISSUER, ...passwords } = env
  expect(NATS_AGENT_ISSUER).toMatch(/^A[A-Z2-7]{55}$/)
  expect(Object.values(passwords).every(password => /^pw[0-9a-f]{48}$/.test(password))).toBe(true)
})
