// A customer whose install has a licence, and who sends it, or another seller's, where the product asks for a credential.
import { forFile } from '@svc/testing/for-file'
import { startCustomerSide } from '../../services/offers/test/orders/customer-side-scene.ts'
import { made } from '../../services/offers/test/http-scene.ts'
import { expect, test } from 'vitest'

const scene = forFile(startCustomerSide)

test('a licence is no credential, whatever asks for one', async () => {
  const customer = scene.inWorkspace(scene.customer)
  const package_id = await made(scene.seller, '/packages', { name: 'Licensed' })
  const version = { version: '1.0.0', input_schema: { type: 'object', properties: {} } }
  const package_version_id = await made(scene.seller, `/packages/${package_id}/versions`, version)
  const { body: offer } = await scene.seller('POST', '/offers', { package_version_id })
  const order = await made(customer, `/i/${offer.short_hash}/orders`, {})
  const { body } = await customer('POST', `/orders/${order}/submit`, { field_values: {} })
  const { status, body: issued } = await customer('POST', `/installs/${body.install_id}/licence`)
  expect(status).toBe(200)
  const licence = String(issued.licence)
  const base = scene.stack.baseUrls[0] ?? ''
  const asBearer = { authorization: `Bearer ${licence}` }
  const asInstall = { 'svc-install-credential': licence }
  for (const [path, headers] of [
    ['/user', asBearer],
    ['/installs', asBearer],
    [`/installs/${body.install_id}/licence`, asInstall],
    [`/installs/${body.install_id}/field_values`, asInstall],
  ] as const) {
    expect((await fetch(base + path, { headers })).status, path).toBe(401)
  }
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: licence,
  })
  const exchanged = await fetch(new URL('/oauth/token', base), { method: 'POST', body: form })
  expect(exchanged.status).toBe(400)
})
