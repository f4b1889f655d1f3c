import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import { provePassword, wrongPassword } from '../credentials/prove-password.ts'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'

interface DeleteUserResult {
  readonly outcome: 'deleted' | 'owner' | 'again' | 'refused'
  readonly owned: readonly { readonly id: string; readonly name: string }[] | null
}

/** The function decides and deletes under the locks of all workspaces that the person is in (delete_user.sql). */
export const deleteUser: Handler<typeof authTokens.operations.delete_user, Deps> = async (
  { body: { password } },
  caller,
  deps,
) => {
  const { sql, now, recall, eventWritten, call } = deps
  const { person, hash } = await provePassword(caller, { password, path: 'password' }, deps)
  const { outcome, owned } = await attempt()
  if (outcome === 'again') throw refusal('unavailable')
  if (outcome === 'refused') throw wrongPassword('password')
  if (outcome === 'owner') throw onlyOwner(owned ?? [])
  eventWritten()
  await recall(userPrincipal(person))
  return { body: undefined }

  async function attempt(times = 3): Promise<DeleteUserResult> {
    const [result] = await sql<DeleteUserResult>`/* auth_tokens.delete_user */
      select outcome, owned from delete_user(${person}, ${hash}, to_timestamp(${now() / 1000}), ${byJson(call.by)})`
    const one = result as DeleteUserResult
    return one.outcome === 'again' && times > 1 ? attempt(times - 1) : one
  }
}

const onlyOwner = (owned: NonNullable<DeleteUserResult['owned']>) =>
  refusal('last_owner', {
    message: `You are the only owner of ${owned.map(({ name }) => `“${name}”`).join(', ')}. Make another member an owner, or delete the workspace.`,
    metadata: { workspaces: owned.map(({ id }) => id).join(',') },
  })
