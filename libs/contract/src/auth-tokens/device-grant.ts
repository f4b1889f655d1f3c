/** The OAuth 2.0 Device Authorization Grant (RFC 8628), as the gateway's /oauth routes and pages use it. */
import * as z from 'zod'
import { browser, forGateway, internal } from '../core/access.ts'
import { credentialHash } from './credential-lookup.ts'
import { workspaceId } from '../core/caller.ts'
import { displayName } from '../core/display-name.ts'
import type { Operation } from '../core/operation.ts'
import { permissions } from '../core/permissions.ts'
import { secrets } from '../core/secrets.ts'
import { clientId, origin } from './sessions.ts'
import { unixSeconds, wireId } from '../core/text.ts'

/** Seconds. A session that its person did not limit lives as R3 says. */
export const deviceLifetime = { min: 60, max: 180 * 24 * 60 * 60 } as const

/** What a device asks for at most, and what it is granted: docs/specification.md, R87. Absent: all that its person may. */
const granted = {
  permissions: z.array(z.enum(permissions)).min(1).max(permissions.length).optional(),
  workspace_id: workspaceId.optional(),
  expires_in: z.int().min(deviceLifetime.min).max(deviceLifetime.max).optional().describe('Seconds.'),
}

export const deviceGrantOperations = {
  put_oauth_client: {
    summary: 'Register a public OAuth client, or rename it',
    access: internal,
    body: z.strictObject({ id: clientId, name: displayName(100) }),
    output: z.object({ id: z.string() }),
    errors: [],
    safe: true,
    narrows: false,
  },
  start_device_grant: {
    summary: 'Issue a device code and a user code (RFC 8628, 3.1 and 3.2)',
    access: forGateway,
    body: z.strictObject({ client_id: clientId, origin, ...granted }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('invalid_client') }),
      z.object({
        outcome: z.literal('started'),
        device_code: z.string(),
        user_code: z.string().describe('As it is shown: XXXX-XXXX.'),
        expires_in: z.int().describe('Seconds.'),
        interval: z.int().describe('How many seconds the client waits between polls.'),
      }),
    ]),
    errors: ['RateLimited'],
    narrows: false,
  },
  poll_device_grant: {
    summary: 'Exchange an approved device code for a session token, once (RFC 8628, 3.4 and 3.5)',
    access: forGateway,
    body: z.strictObject({ device_code_hash: credentialHash, client_id: clientId, origin }),
    output: z.discriminatedUnion('outcome', [
      z.object({
        outcome: z.enum([
          'authorization_pending',
          'slow_down',
          'access_denied',
          'expired_token',
          'invalid_grant',
          'invalid_client',
        ]),
      }),
      z.object({
        outcome: z.literal('approved'),
        session_token: z.string().register(secrets),
        permissions: granted.permissions,
        workspace_id: granted.workspace_id,
        expires_in: z.int().describe('Seconds.'),
      }),
    ]),
    errors: [],
    event: 'sessions.started',
    narrows: true,
  },
  enter_user_code: {
    summary: 'Bind a user code to the person who enters it, and show which client asks (RFC 8628, 3.3)',
    access: browser,
    body: z.strictObject({ user_code_hash: credentialHash }),
    output: z.discriminatedUnion('outcome', [
      // Wrong, or entered by someone else: deliberately not distinguished.
      z.object({ outcome: z.enum(['unknown', 'expired', 'decided']) }),
      z.object({
        outcome: z.literal('found'),
        grant: z.object({
          id: z.string(),
          client_id: z.string(),
          client_name: z.string(),
          address: z.string(),
          user_agent: z.string(),
          created_at: unixSeconds,
          expires_at: unixSeconds,
          ...granted,
        }),
      }),
    ]),
    errors: ['RateLimited'],
    narrows: false,
  },
  decide_device_grant: {
    summary: 'Approve, with no more than was asked for, or deny: once, as the person who entered the code',
    access: browser,
    body: z.strictObject({
      grant_id: wireId('grant'),
      decision: z.enum(['approved', 'denied']),
      ...granted,
    }),
    output: z.object({
      outcome: z.enum(['approved', 'denied', 'decided', 'expired', 'unknown', 'too_wide']),
    }),
    errors: ['Unauthorized'],
    stepUp: 'if it approves',
    narrows: false,
  },
} as const satisfies Record<string, Operation>
