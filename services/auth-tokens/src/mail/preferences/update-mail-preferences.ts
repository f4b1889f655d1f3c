import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { mailKindNames } from '@svc/contract/auth-tokens/mail'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { notAMember } from '../../members/member-refusals.ts'
import { personOf } from '../../people/person.ts'
import { changePreferences } from './change-preferences.ts'
import { preferencesWithout } from './mail-preferences.ts'

export const updateMailPreferences: Handler<
  typeof authTokens.operations.update_mail_preferences,
  Deps
> = async ({ params: { id: workspace }, body }, caller, { sql, call, eventWritten }) => {
  const change = {
    workspace,
    person: personOf(caller),
    muted: mailKindNames.filter(kind => body[kind] === false),
    unmuted: mailKindNames.filter(kind => body[kind] === true),
  }
  const changed = await changePreferences(sql, change, call.by, 'caller')
  if (!changed) throw notAMember()
  if (changed.changed) eventWritten()
  return { body: preferencesWithout(changed.muted) }
}
