/** Every statement of the catalogue over HTTP, and of the seller's view of offers. */
import { newId } from '@svc/runtime/id'
import { type Driven, policy, sender } from '../stack/driven-stack.ts'

export async function useCatalogue({ dev, baseUrl }: Driven) {
  const request = sender(baseUrl)
  const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    request(method, path, dev.api_token, { body, headers })
  const remove = (path: string, status = 204) =>
    request('DELETE', path, dev.owner.session_token, { workspace: dev.workspace_id, status })
  const name = 'plans'

  const { id: package_id } = await send('POST', '/packages', { name })
  const versions = `/packages/${package_id}/versions`
  const input_schema = { properties: {} }
  const { id: version_id } = await send('POST', versions, { version: '1.0.0', input_schema })
  const { id: product_id } = await send('POST', '/products', { name, package_id })
  await send('PATCH', `/products/${product_id}`, { current_package_version_id: version_id })
  const { id: channel_id } = await send('POST', '/offer_channels', { product_id, name })
  const policies = `/offer_channels/${channel_id}/policies`
  await send('POST', policies, { policy, activate: true })
  await send('POST', `${policies}/1/activate`)
  await send('PATCH', `/packages/${package_id}`, { name: 'renamed' })
  await send('PATCH', `/offer_channels/${channel_id}`, { name: 'renamed' })

  const body = { product_id, offer_channel_id: channel_id }
  const key = newId('offer')
  const { id: offer_id } = await send('POST', '/offers', body, { 'idempotency-key': key })
  for (const path of [
    '/packages',
    `/packages/${package_id}`,
    versions,
    `/package_versions/${version_id}`,
    '/products',
    `/products/${product_id}`,
    '/offer_channels',
    `/offer_channels?product_id=${product_id}`,
    `/offer_channels/${channel_id}`,
    policies,
    `${policies}/1`,
    '/offers',
    '/offers?state=revoked',
    `/offers?product_id=${product_id}`,
    `/offers?offer_channel_id=${channel_id}`,
    `/offers?idempotency_key=${key}`,
    `/offers/${offer_id}`,
  ]) {
    await send('GET', path)
  }
  await send('POST', `/offers/${offer_id}/revoke`)

  // Refused while something refers to them; the foreign keys of what goes are looked up as well.
  for (const path of [
    `/packages/${package_id}`,
    `/products/${product_id}`,
    `/offer_channels/${channel_id}`,
  ]) {
    await remove(path, 409)
  }
  const { id: unused } = await send('POST', '/packages', { name })
  await send('POST', `/packages/${unused}/versions`, { version: '1.0.0', input_schema })
  const { id: idle } = await send('POST', '/products', { name, package_id: unused })
  const { id: closed } = await send('POST', '/offer_channels', { product_id: idle, name })
  await send('POST', `/offer_channels/${closed}/policies`, { policy })
  for (const path of [`/offer_channels/${closed}`, `/products/${idle}`, `/packages/${unused}`])
    await remove(path)
}
