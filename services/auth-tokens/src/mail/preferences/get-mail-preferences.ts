import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { notAMember } from '../../members/member-refusals.ts'
import { personOf } from '../../people/person.ts'
import { preferencesWithout } from './mail-preferences.ts'

export const getMailPreferences: Handler<typeof authTokens.operations.get_mail_preferences, Deps> = async (
  { params: { id: workspace } },
  caller,
  { sql },
) => {
  const [found] = await sql<{ muted: string[] }>`/* auth_tokens.get_mail_preferences */
    select array(
      select notice from muted_notices p where p.user_id = m.user_id and p.workspace_id = m.workspace_id
    ) as muted
    from memberships m where m.workspace_id = ${workspace} and m.user_id = ${personOf(caller)}`
  if (!found) throw notAMember()
  return { body: preferencesWithout(found.muted) }
}
