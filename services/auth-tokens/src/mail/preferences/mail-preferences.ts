import { mailKindNames, type MailKind } from '@svc/contract/auth-tokens/mail'

export type MailPreferences = Record<MailKind, boolean>

export const preferencesWithout = (muted: readonly string[]): MailPreferences =>
  Object.fromEntries(mailKindNames.map(kind => [kind, !muted.includes(kind)])) as MailPreferences
