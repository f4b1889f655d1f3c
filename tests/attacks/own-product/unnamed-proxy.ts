// Not an attack: with a proxy that TRUST_PROXY does not name, all its clients have one address, and one that uses up
// the limits of an address locks all of them out. Nothing reported this.
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { product } from './scene.ts'

test('is reported once in the log, and on /readyz, and only then', async () => {
  const [gateway] = product.stack.gateways
  if (!gateway) throw new Error('There is no gateway')
  const readiness = async () => (await fetch(`${gateway.healthUrl}/readyz`)).json()
  const warned = () => product.lines.filter(line => line.includes('TRUST_PROXY'))
  expect(await readiness()).not.toHaveProperty('warnings')
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    await fetch(`${gateway.url}/sign-in`, { headers: { 'x-forwarded-for': client } })
  }
  const { ready, warnings } = (await readiness()) as { ready: boolean; warnings: string[] }
  expect(ready).toBe(true)
  expect(warnings).toEqual([
    expect.stringMatching(/^127\.0\.0\.1 sends X-Forwarded-For, but TRUST_PROXY does not list it/),
  ])
  await waitUntil('the warning in the log', () => warned().length > 0)
  expect(warned()).toHaveLength(1)
})
