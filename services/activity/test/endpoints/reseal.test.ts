// After a change of the key, what it opens is sealed with the first one; whoever rotates a secret meanwhile keeps theirs.
import { createSeal, newSealingKey, sealedWith } from '@svc/runtime/seal'
import { expect, test } from 'vitest'
import { reseal } from '../../src/endpoints/reseal.ts'
import { secretContext } from '../../src/endpoints/webhook-endpoint.ts'
import { admin, deps, endpointRow, newEndpoint, useDeliveries } from '../deliveries/delivery-scene.ts'

useDeliveries()

test('secrets are sealed again with the first key, by one statement with its event', async () => {
  const keys = [newSealingKey('new'), newSealingKey('old')]
  const [both, old] = [createSeal(keys.join(',')), createSeal(keys[1] ?? '')]
  const ids: string[] = []
  for (const secret of ['whsec_1', 'whsec_2']) {
    const { id } = await newEndpoint('http://127.0.0.1:2/')
    ids.push(id)
    const [now, previous] = [old.seal(secret, secretContext(id)), old.seal(`${secret}0`, secretContext(id))]
    await admin`update webhook_endpoints set secret = ${now}, previous_secret = ${previous} where id = ${id}`
  }
  const again = async () => (await reseal({ body: {} } as never, {} as never, { ...deps(), seal: both })).body
  expect(await again()).toEqual({ resealed: 2, next: null })
  for (const [at, id] of ids.entries()) {
    const { secret, previous_secret } = await endpointRow(id)
    expect([sealedWith(secret), sealedWith(previous_secret)]).toEqual(['new', 'new'])
    expect(both.unseal(secret, secretContext(id))).toBe(`whsec_${at + 1}`)
    expect(both.unseal(previous_secret, secretContext(id))).toBe(`whsec_${at + 1}0`)
  }
  expect(await again()).toEqual({ resealed: 0, next: null })
  const events =
    await admin`select aggregate_id, payload from outbox where subject = 'events.secrets.resealed'`
  expect([...events]).toEqual([{ aggregate_id: 'webhook_endpoints', payload: { count: 2 } }])
})
