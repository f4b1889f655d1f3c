/** The statements by which an offer's link is read, and what came of it. */
import { newId } from '@svc/runtime/id'
import { type Driven, sender } from '../stack/driven-stack.ts'

export async function useInstalls({ dev, baseUrl }: Driven) {
  const request = sender(baseUrl)
  const workspace = dev.workspace_id
  const send = (method: string, path: string, body?: object) =>
    request(method, path, dev.member.session_token, { body, workspace })
  const { package_version_id } = dev
  const { id: offer_id, short_hash } = await send('POST', '/offers', { package_version_id })
  await send('GET', `/i/${short_hash}`)
  const { id: order_id } = await send('POST', `/i/${short_hash}/orders`)
  await send('GET', `/orders/${order_id}`)
  const { install_id } = await send('POST', `/orders/${order_id}/submit`, {
    field_values: { region: 'eu', company: 'Acme' },
  })
  const checkout = `/orders/${order_id}/checkout`
  await request('POST', checkout, dev.member.session_token, { workspace, status: 409 })
  await send('GET', `/installs/${install_id}`)
  const lists = ['relation=owned', 'relation=sold', 'relation=sold&state=started', 'cluster_id=none']
  const filters = { offer_id, package_version_id, product_id: newId('prod') }
  for (const [name, id] of Object.entries(filters)) lists.push(`relation=sold&${name}=${id}`)
  for (const query of lists) await send('GET', `/installs?${query}`)
  const { credential } = await request(
    'POST',
    `/installs/${install_id}/credential`,
    dev.owner.session_token,
    {
      workspace,
      status: 201,
    },
  )
  await request('GET', `/installs/${install_id}/field_values`, '', {
    headers: { 'svc-install-credential': String(credential) },
  })
  await send('POST', `/installs/${install_id}/remove`)
}
