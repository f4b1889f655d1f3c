import type { Role } from '@svc/contract/core/caller'
import { mailGroups } from '@svc/contract/auth-tokens/mail'
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'
import { insertLink } from '../people/verification-links.ts'
import type { NoticeFacts, NoticeKind } from './notices/notice.ts'

export interface ClaimedMessage {
  readonly id: string
  readonly kind: 'recovery' | 'sign_up' | 'invitation' | 'webhook' | 'notice' | 'digest'
  readonly email: string
  readonly attempts: number
  readonly role: Role | null
  readonly workspace_id: string | null
  readonly workspace_name: string | null
  readonly inviter: string | null
  readonly details: SignUpDetails | WebhookDetails | NoticeFacts | DigestDetails | null
  readonly notice: NoticeKind | null
  readonly seller_name: string | null
  readonly member_email: string | null
  readonly user_id: string | null
  /** Whether the address is verified and has a password: it needs no link. */
  readonly signed_up: boolean
  /** False if an invitation was answered or revoked, or the recipient may not or does not want to know any more. */
  readonly wanted: boolean
}

/** What somebody signs up for: an offer. */
export interface SignUpDetails {
  readonly product: string
  readonly seller: string | null
  readonly return_to: string
}

export interface WebhookDetails {
  readonly kind: 'failing' | 'disabled' | 'gone'
  readonly host: string
  readonly since: number | null
}

export interface DigestDetails {
  readonly count: number
  readonly items: readonly NoticeFacts[]
}

/** Queues that do not wait for each other: a flood in one does not delay mail in another. */
export type Lane = keyof typeof lanes

/** The length of a first claim; it doubles each time. A claim whose process died expires by itself. */
export const firstLeaseSeconds = 60
export const staleAfterDays = 3

export const lanes = {
  recovery: fragment`kind = 'recovery'`,
  sign_up: fragment`kind = 'sign_up'`,
  messages: fragment`kind in ('invitation', 'webhook')`,
  notices: fragment`notice is not null`,
}

/**
 * Claims the message of a lane that has waited longest, and stores the hash of the link it will contain. Skips rows
 * that another replica is claiming.
 */
export async function claimMessage(
  sql: Sql,
  { at, linkHash, lane }: { at: number; linkHash: string; lane: Lane },
): Promise<ClaimedMessage | undefined> {
  const [message] = await sql<ClaimedMessage>`/* auth_tokens.claim_message */
    with due as materialized (
      select id from messages where next_at <= to_timestamp(${at}) and ${lanes[lane]}
      order by next_at limit 1 for update skip locked
    ), claimed as (
      update messages m set
        attempts = m.attempts + 1,
        next_at = to_timestamp(${at}) + make_interval(secs => ${firstLeaseSeconds} * 2 ^ least(m.attempts, 20))
      from due where m.id = due.id
      returning m.id, m.kind, m.email, m.attempts, m.role, m.workspace_id, m.invited_by, m.details, m.notice, m.created_at
    ), message as (
      select c.id, c.kind, c.email, c.attempts, coalesce(invitation.role, c.role) as role, c.workspace_id,
        w.name as workspace_name, inviter.email as inviter, c.details, c.notice, seller.name as seller_name,
        member.email as member_email, u.id as user_id,
        coalesce(u.password_hash is not null and u.verified_at is not null, false) as signed_up,
        case
          when c.kind in ('recovery', 'sign_up') then true
          when c.kind = 'invitation' then invitation.id is not null
          when c.kind = 'webhook' then managed.role in ('owner', 'admin')
          else u.verified_at is not null and c.created_at > to_timestamp(${at}) - make_interval(days => ${staleAfterDays})
            and (c.workspace_id is null or managed.role is not null)
            and (c.notice <> 'your_subscription_ends_soon' or c.kind = 'digest' or to_timestamp((c.details ->> 'paid_through')::bigint) > to_timestamp(${at}))
            and (c.notice <> all (${mailGroups.seller}::text[]) or managed.role in ('owner', 'admin'))
            and (c.notice <> all (${mailGroups.owner}::text[]) or managed.role = 'owner')
            and not exists (
              select from muted_notices p where p.user_id = u.id and p.workspace_id = c.workspace_id and p.notice = c.notice
            )
        end as wanted
      from claimed c
      left join workspaces w on w.id = c.workspace_id
      left join workspaces seller on seller.id = c.details ->> 'seller'
      left join users inviter on inviter.id = c.invited_by
      left join users member on member.id = c.details ->> 'member'
      left join users u on u.email = c.email
      left join invitations invitation on invitation.workspace_id = c.workspace_id and invitation.email = c.email
        and invitation.open and invitation.expires_at > to_timestamp(${at})
      left join memberships managed on managed.workspace_id = c.workspace_id and managed.user_id = u.id
    ), linked as (
      ${insertLink(linkHash, at)}
      from message where wanted and (kind in ('recovery', 'sign_up') or kind = 'invitation' and not signed_up)
    )
    select * from message`
  return message
}

export const removeMessage = (sql: Sql, id: string) =>
  sql`/* auth_tokens.remove_message */ delete from messages where id = ${id}`
