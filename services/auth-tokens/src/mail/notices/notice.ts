import type { MailFacts, MailKind } from '@svc/contract/auth-tokens/mail'

/** What mail is sent about; the last one is about an account, and cannot be switched off. */
export type NoticeKind = MailKind | 'new_browser'

/** What it says it of. */
export interface NoticeFacts extends MailFacts {
  /** Name of the API token. */
  readonly token?: string
  readonly hint?: string
  readonly last_used_at?: number | null
  readonly days?: number
  /** Where the sign-in came from. */
  readonly address?: string
  readonly user_agent?: string
  readonly at?: number
}

/** What one says, before it is text or HTML. */
export interface NoticeContent {
  /** A fixed sentence, as nothing that others wrote may stand there. */
  readonly subject: string
  /** One line of a digest. */
  readonly brief: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** What somebody else wrote, in their lines. */
  readonly quote?: { readonly by: string; readonly text: string }
  readonly action: { readonly label: string; readonly path: string }
}

/** What ids stand for. */
export interface NoticeNames {
  readonly workspace: string
  readonly seller: string | null
  readonly member: string | null
}

export type ContentOf<K extends NoticeKind> = Record<
  K,
  (facts: NoticeFacts, names: NoticeNames) => NoticeContent
>
