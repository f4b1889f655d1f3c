/** The statements of mail about what happens: asked for by events and by the time, and switched off. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { waitUntil } from '@svc/local/wait-until'
import { createSeal } from '@svc/runtime/seal'
import { type Driven, caller, sender } from '../stack/driven-stack.ts'

export async function useNotices(
  { dev, baseUrl, gateway, sql }: Driven,
  sealingKeys?: string,
): Promise<void> {
  const workspace = dev.workspace_id
  const owner = dev.owner.session_token
  const send = sender(baseUrl)
  const preferences = `/workspaces/${workspace}/mail_preferences`
  await send('GET', preferences, owner)
  await send('PATCH', preferences, owner, { body: { order_placed: false } })
  const { id: user } = await send('GET', '/user', owner)
  if (sealingKeys) {
    const token = createSeal(sealingKeys).seal(`${user} ${workspace} order_placed`, 'unsubscribe')
    const link = { ...caller(), body: { token } }
    await invoke(gateway, authTokens, 'read_unsubscription', link)
    await invoke(gateway, authTokens, 'unsubscribe', link)
  }
  await send('PATCH', preferences, owner, { body: { order_placed: true } })
  const expires_at = Math.floor(Date.now() / 1000) + 6 * 86_400
  const { id } = await send('POST', '/api_tokens', owner, { body: { name: 'warned', expires_at }, workspace })
  await sql`update auth_tokens.api_tokens set warn_at = now() where id = ${String(id)}`
  await sql`
    insert into auth_tokens.mail_digests (user_id, workspace_id, notice, items, due_at)
    values (${String(user)}, ${workspace}, 'order_placed', '[{}]', now())
    -- The orders of an earlier round may have made one.
    on conflict (user_id, workspace_id, notice) do update set due_at = now()`
  await waitUntil('notices that are due', async () => {
    const [left] = await sql`
      select (select count(*) from auth_tokens.mail_digests where due_at <= now())::int
        + (select count(*) from auth_tokens.api_tokens where warn_at <= now())::int as count`
    return left?.count === 0
  })
  await send('DELETE', `/api_tokens/${id}`, owner, { workspace })
}
