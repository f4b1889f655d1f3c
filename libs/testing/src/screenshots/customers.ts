/** People who buy, each in a workspace of their own. */
import { randomBytes } from 'node:crypto'
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { type Client, createClient } from '@svc/client'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'

const operator = { caller: { kind: 'internal', id: 'backoffice' } } as const

/** Signed up and verified by the operator, since nobody reads their mail; all that follows is the public API. */
export async function newCustomer(
  call: CallBus,
  baseUrl: string,
  email: string,
  company: string,
): Promise<Client> {
  const password = randomBytes(12).toString('hex')
  const { id } = await invoke(call, authTokens, 'put_user', { ...operator, body: { email, password } })
  await invoke(call, authTokens, 'verify_user', { ...operator, body: { email } })
  const { token } = await invoke(call, authTokens, 'create_session', { ...operator, body: { user_id: id } })
  const { body } = await createClient({ baseUrl, token }).workspaces.create({ body: { name: company } })
  return createClient({ baseUrl, token, workspace: body.id })
}
