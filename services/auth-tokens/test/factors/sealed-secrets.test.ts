// At rest nobody can make the codes of an authenticator app; the secrets follow a change of the sealing keys.
import { createSeal, newSealingKey, sealedWith } from '@svc/runtime/seal'
import { forFile } from '@svc/testing/for-file'
import { testKeys, testSeal } from '@svc/testing/seal'
import { expect, onTestFinished, test } from 'vitest'
import { freezeReplicas } from '../frozen-replicas.ts'
import { shareService } from '../running-service.ts'
import { createFactors } from './factors-scene.ts'

const service = forFile(shareService)
const scene = createFactors(service)

test('reseal seals the secrets of authenticator apps with the first key', async () => {
  const { user, ...person } = await scene.newPerson()
  const { secret } = await scene.addTotp({ user, ...person })
  const stored = async () => {
    const [row] = await service.sql`select sealed from auth_tokens.totp_factors where user_id = ${user}`
    return String(row?.sealed)
  }
  expect(await stored()).not.toContain(secret)
  const before = await stored()
  expect(() => testSeal.unseal(before, 'totp_factors somebody')).toThrow()
  const next = newSealingKey('next')
  const reseal = async (keys: string) => {
    const replicas = freezeReplicas(service.databaseUrl, { seal: createSeal(keys) })
    onTestFinished(() => replicas.close())
    await replicas.run('reseal', { after: 'totp_factors ' })
    return sealedWith(await stored())
  }
  expect(await reseal(`${next},${testKeys}`)).toBe('next')
  expect(await reseal(`${testKeys},${next}`)).toBe(testSeal.keyId)
  expect(testSeal.unseal(await stored(), `totp_factors ${user}`)).toBe(secret)
})
