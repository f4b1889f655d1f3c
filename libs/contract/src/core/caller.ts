import * as z from 'zod'
import { anyText, text, unixSeconds, wireId } from './text.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

export const workspaceId = wireId('ws', 53)

/** For people to read in events, as of the look-up (`./actor.ts`). It may be older than the rules for names. */
const name = anyText(1, 254).optional()

/** The bitmap of its permissions (`./permissions.ts`); absent: all that its role may do. */
export const mask = z.string().regex(/^[\w-]{0,20}$/, 'must be a bitmap in base64url')
const can = mask.optional()

/** A principal. `workspace` and `role` are those in which the request acts, resolved by auth-tokens. */
export const caller = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('api_token'),
    id: text(1, 64),
    workspace: workspaceId,
    // A workspace API token acts as a member: it cannot create or revoke tokens (docs/specification.md, R13).
    role: z.literal('member'),
    can,
    name,
  }),
  z.strictObject({
    kind: z.enum(['session', 'jwt']),
    id: text(1, 64),
    user: text(1, 64),
    workspace: workspaceId.optional(),
    role: z.enum(roles).optional(),
    /** Verified, in lower case; only if the operation asks for it. */
    email: text(1, 254).optional(),
    /**
     * When they last proved who they are, in Unix seconds; 0 where they have a second factor and did without it.
     * Absent: from a gateway of the release before.
     */
    auth_time: z.int().min(0).optional(),
    /** The workspace demands a second factor, and the session has none. */
    factor_missing: z.literal(true).optional(),
    /** The time that the session was granted for, in Unix seconds: what it makes ends by then (docs/specification.md, R86). */
    ends_at: unixSeconds.optional(),
    can,
    name,
  }),
  // An anonymous caller, if permitted.
  z.strictObject({
    kind: z.literal('anonymous'),
    id: z.literal('anonymous'),
    workspace: z.undefined().optional(),
  }),
  // An internal program: the bus permissions of its NATS user decide what it may call.
  z.strictObject({ kind: z.literal('internal'), id: text(1, 64), workspace: workspaceId.optional(), name }),
])
export type Caller = z.infer<typeof caller>
/** The bitmap of the caller's permissions; undefined: unrestricted. */
export const maskOfCaller = (caller: Caller): string | undefined => ('can' in caller ? caller.can : undefined)

export type CredentialKind = Exclude<Caller['kind'], 'internal' | 'anonymous'>

/** The agent of a cluster, identified by the subject that it may publish to and not by a header. */
export interface AgentCaller {
  readonly kind: 'agent'
  readonly cluster: string
  /** Derived from the agent's secret: `agentKey` in `@svc/runtime/credential`. */
  readonly id: string
}

export type ScopedCaller = Exclude<Caller, { kind: 'anonymous' }> & { workspace: string }
