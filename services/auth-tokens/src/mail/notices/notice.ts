import type { FactorChange } from './factor-changes.ts'
import type { MailFacts, MailKind } from '@svc/contract/auth-tokens/mail'

/** About an account: cannot be switched off. */
export const accountKinds = ['new_browser', 'password_changed', 'factor_changed'] as const
export type AccountKind = (typeof accountKinds)[number]
export const isAboutAccount = (kind: NoticeKind): kind is AccountKind =>
  accountKinds.some(one => one === kind)

export type SubscriptionKind = Extract<MailKind, `subscription_${string}` | `your_${string}`>

export type NoticeKind = MailKind | AccountKind

export interface NoticeFacts extends MailFacts {
  readonly token?: string
  readonly hint?: string
  readonly last_used_at?: number | null
  readonly address?: string
  readonly user_agent?: string
  readonly change?: FactorChange
  readonly at?: number
}

export interface NoticeContent {
  readonly subject: string
  readonly brief: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly quote?: { readonly by: string; readonly text: string }
  readonly action: { readonly label: string; readonly path: string }
}

export interface NoticeNames {
  readonly workspaceId: string
  readonly workspace: string
  readonly seller: string | null
  readonly member: string | null
}

export type ContentOf<K extends NoticeKind> = Record<
  K,
  (facts: NoticeFacts, names: NoticeNames) => NoticeContent
>
