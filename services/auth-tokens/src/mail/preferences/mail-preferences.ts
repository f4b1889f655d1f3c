import { mailKindNames, type MailKind } from '@svc/contract/auth-tokens/mail'

export type MailPreferences = Record<MailKind, boolean>

/** All kinds, of which these are switched off. */
export const preferencesWithout = (muted: readonly string[]): MailPreferences =>
  Object.fromEntries(mailKindNames.map(kind => [kind, !muted.includes(kind)])) as MailPreferences
