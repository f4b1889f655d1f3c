import type { Role } from '@svc/contract/core/caller'
import type { Sql } from '@svc/runtime/database'
import { insertLink } from '../people/verification-links.ts'

/** A message that is due, with the data for its text. */
export interface ClaimedMessage {
  readonly id: string
  readonly kind: 'verification' | 'invitation' | 'webhook'
  readonly email: string
  /** How often it was claimed, this time included. */
  readonly attempts: number
  readonly role: Role | null
  readonly workspace_name: string | null
  /** The inviter's address. */
  readonly inviter: string | null
  /** Of a webhook endpoint. */
  readonly details: {
    readonly kind: 'failing' | 'disabled' | 'gone'
    readonly host: string
    readonly since: number | null
  } | null
  /** Whether the address is verified and has a password: it needs no link. */
  readonly signed_up: boolean
  /** False for an invitation that has been answered or revoked since, and for who is no owner or admin any more. */
  readonly wanted: boolean
}

/** The length of a first claim; it doubles each time. A claim whose process died expires by itself. */
export const firstLeaseSeconds = 60

/**
 * Claims the message that has waited longest, and stores the hash of the link it will contain. Skips rows
 * that another replica is claiming.
 */
export async function claimMessage(
  sql: Sql,
  { at, linkHash }: { at: number; linkHash: string },
): Promise<ClaimedMessage | undefined> {
  const [message] = await sql<ClaimedMessage>`/* auth_tokens.claim_message */
    with due as materialized (
      select id from messages where next_at <= to_timestamp(${at}) order by next_at limit 1 for update skip locked
    ), claimed as (
      update messages m set
        attempts = m.attempts + 1,
        next_at = to_timestamp(${at}) + make_interval(secs => ${firstLeaseSeconds} * 2 ^ least(m.attempts, 20))
      from due where m.id = due.id
      returning m.id, m.kind, m.email, m.attempts, m.role, m.workspace_id, m.invited_by, m.details
    ), message as (
      select c.id, c.kind, c.email, c.attempts, coalesce(invitation.role, c.role) as role, w.name as workspace_name,
        inviter.email as inviter, c.details,
        coalesce(u.password_hash is not null and u.verified_at is not null, false) as signed_up,
        case c.kind
          when 'verification' then true
          when 'invitation' then invitation.id is not null
          else managed.role in ('owner', 'admin')
        end as wanted
      from claimed c
      left join workspaces w on w.id = c.workspace_id
      left join users inviter on inviter.id = c.invited_by
      left join users u on u.email = c.email
      left join invitations invitation on invitation.workspace_id = c.workspace_id and invitation.email = c.email
        and invitation.open and invitation.expires_at > to_timestamp(${at})
      left join memberships managed on managed.workspace_id = c.workspace_id and managed.user_id = u.id
    ), linked as (
      ${insertLink(linkHash, at)}
      from message where wanted and (kind = 'verification' or kind = 'invitation' and not signed_up)
    )
    select * from message`
  return message
}

/** Sent, given up, or no longer wanted. */
export const removeMessage = (sql: Sql, id: string) =>
  sql`/* auth_tokens.remove_message */ delete from messages where id = ${id}`
