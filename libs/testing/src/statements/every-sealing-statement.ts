/** The statements that seal again what is kept secret. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { offers } from '@svc/contract/offers/offers'
import { type Driven, caller, sender } from '../stack/driven-stack.ts'

export async function useSeals({ dev, baseUrl, backoffice, sql }: Driven) {
  const request = sender(baseUrl)
  const workspace = dev.workspace_id
  const send = (method: string, path: string, body?: object) =>
    request(method, path, dev.member.session_token, { body, workspace })
  const { id: package_id } = await send('POST', '/packages', { name: 'sealed' })
  const input_schema = { properties: { key: { type: 'string', format: 'password' } } }
  const version = { version: '1.0.0', input_schema }
  const { id: package_version_id } = await send('POST', `/packages/${package_id}/versions`, version)
  const field_values = { key: { value: 'secret', locked: false } }
  const { id, short_hash } = await send('POST', '/offers', { package_version_id, field_values })
  const { id: order } = await send('POST', `/i/${short_hash}/orders`)
  const { install_id } = await send('POST', `/orders/${order}/submit`, { field_values: {} })

  await send('POST', `/installs/${install_id}/licence`)
  const owner = dev.owner.session_token
  const { credential } = await request('POST', `/installs/${install_id}/credential`, owner, { workspace })
  const headers = { 'svc-install-credential': String(credential) }
  await request('GET', `/installs/${install_id}/licence`, '', { headers })
  await request('POST', `/workspaces/${workspace}/licence_keys/rotate`, owner)

  // As they were before there were seals.
  const plain = sql.json({ key: 'secret' })
  await sql`update offers.offers set field_values = ${sql.json(field_values)} where id = ${String(id)}`
  await sql`update offers.orders set field_values = ${plain} where id = ${String(order)}`
  await sql`update offers.installs set field_values = ${plain} where id = ${String(install_id)}`
  await sql`
    insert into auth_tokens.signing_keys (kid, state, public_jwk, private_jwk, created_at, retired_at)
    values ('plain', 'retired', '{}', '{}', now(), now()) on conflict do nothing`
  await sql`
    insert into offers.licence_keys (kid, workspace_id, public_jwk, private_jwk, created_at)
    values ('plain', 'ws_plain', '{}', '{}', now()) on conflict do nothing`
  for (let after: string | null | undefined; after !== null; ) {
    const body = after === undefined ? {} : { after }
    after = (await invoke(backoffice, authTokens, 'reseal', { ...caller(), body })).next
  }
  for (let after: string | null | undefined; after !== null; ) {
    const body = after === undefined ? {} : { after }
    after = (await invoke(backoffice, offers, 'reseal', { ...caller(), body })).next
  }
  await sql`delete from auth_tokens.signing_keys where kid = 'plain'`
  await sql`delete from offers.licence_keys where kid = 'plain'`
}
