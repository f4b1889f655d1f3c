import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { changePreferences } from './change-preferences.ts'
import { readUnsubscribeToken } from './unsubscribe-link.ts'

/** Repetitions and former members get the same answer. */
export const unsubscribe: Handler<typeof authTokens.operations.unsubscribe, Deps> = async (
  { body: { token } },
  _caller,
  { sql, seal, call, eventWritten },
) => {
  const link = readUnsubscribeToken(token, seal)
  if (!link) return { body: { kind: null, workspace_name: null } }
  const { workspace, user, kind } = link
  const changed = await changePreferences(
    sql,
    { workspace, person: user, muted: [kind], unmuted: [] },
    call.by,
    'link',
  )
  if (changed?.changed) eventWritten()
  return { body: { kind, workspace_name: changed?.workspace_name ?? null } }
}
