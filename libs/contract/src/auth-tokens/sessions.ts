/** Sessions: opened at the sign-in page or by the device grant, listed and ended by their person. */
import * as z from 'zod'
import { browser, forGateway, internal } from '../core/access.ts'
import { credentialHash } from './credential-lookup.ts'
import { emailAddress } from '../core/email-address.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { anyText, createdAt, idOf, text, unixSeconds, wireId } from '../core/text.ts'

export const origin = z.strictObject({ address: text(0, 64), user_agent: anyText(0, 300) })
export type Origin = z.infer<typeof origin>

/** An OAuth client, as in RFC 6749 section 2.2. All are public: none has a secret. */
export const clientId = text(1, 64)

export const openedSession = z.object({
  id: z.string(),
  token: z.string().describe('The session token. Shown only once.').register(secrets),
  expires_at: unixSeconds,
})

export const maxSessions = 100

/** How long an account remembers a browser after its last sign-in. */
export const knownBrowserSeconds = 180 * 24 * 60 * 60
export const maxBrowserTokens = 5

export const openedInBrowser = openedSession.extend({
  browser_token: z
    .string()
    .register(secrets)
    .optional()
    .describe(
      'The id by which this account will recognise the browser; absent: it already has one, or stores none.',
    ),
})

/** A person with a second factor gets no session before it is proven: `complete_sign_in`. */
export const signedIn = z.discriminatedUnion('outcome', [
  openedInBrowser.extend({ outcome: z.literal('opened') }),
  z.object({
    outcome: z.literal('pending'),
    token: z.string().describe('For the browser that goes on with the factor.').register(secrets),
    expires_at: unixSeconds,
  }),
])

export const password = anyText(1, 200)
/**
 * A new password: only its length is checked, and auth-tokens refuses common ones. Rules about characters would
 * make it predictable.
 */
export const newPassword = z.string().min(8, 'must have at least 8 characters').max(200)

const userId = wireId('user')

/** OpenID Connect Core, 2, and RFC 8176. */
export const proof = {
  auth_time: unixSeconds.describe(
    'When you last proved who you are in it, in Unix seconds; 0: not yet, as in a new device.',
  ),
  amr: z
    .array(z.string())
    .describe(
      'How (RFC 8176): `pwd`, a password; `otp`, a code; `hwk`, a passkey; `user`, it has verified you; `mfa`, with a second factor. Empty: an operator started it.',
    ),
}

export const session = z
  .object({
    id: idOf('session', 'sess'),
    client: z
      .object({
        id: z.string().describe('The `client_id` with which the session was requested.'),
        name: z.string().describe('The name of the client, for people.'),
      })
      .nullable()
      .describe('The OAuth client that it was started for; null: a browser.'),
    address: z.string().nullable().describe('The IP address it was started from; null: unknown.'),
    user_agent: z.string().nullable().describe('The `User-Agent` it was started with; null: unknown.'),
    created_at: createdAt,
    last_used_at: unixSeconds
      .nullable()
      .describe('Unix seconds, written every few seconds; null: not used yet.'),
    expires_at: unixSeconds.describe(
      'Unix seconds; extended while the session is used, unless it was limited.',
    ),
    workspace_id: z
      .string()
      .nullable()
      .describe('The only workspace that it can act in; null: any of yours.'),
    permissions: z
      .array(z.string())
      .nullable()
      .describe('What it may do, within your role; null: everything, also what concerns your account.'),
    ...proof,
    current: z.boolean().describe('Whether it is the session used for this request.'),
  })
  .meta({ id: 'Session' })

export const sessionOperations = {
  read_user: {
    summary: 'Read whom a session belongs to and when it expires',
    access: browser,
    output: z.object({
      id: z.string(),
      email: z.string(),
      verified: z.boolean(),
      session_expires_at: unixSeconds,
    }),
    errors: ['Unauthorized'],
    safe: true,
  },
  read_email: {
    summary: 'Read the verified email address of a user',
    access: forGateway,
    body: z.strictObject({ user_id: text(1, 64) }),
    output: z.object({ email: z.string().nullable() }),
    errors: [],
    safe: true,
  },
  sign_in: {
    summary: 'Start a session with an email address and a password',
    access: forGateway,
    body: z.strictObject({
      email: emailAddress,
      password,
      origin,
      browser_hashes: z
        .array(credentialHash)
        .max(maxBrowserTokens)
        .optional()
        .describe('Hashes of the ids stored in the browser; absent: it stores none and is not remembered.'),
    }),
    output: signedIn,
    errors: ['Unauthorized', 'RateLimited'],
    event: 'sign_ins.succeeded',
    narrows: true,
  },
  create_session: {
    summary: 'Start a session for a user',
    access: internal,
    body: z.strictObject({ user_id: userId }),
    output: openedSession,
    errors: ['Unprocessable'],
    event: 'sessions.started',
    narrows: true,
  },
  revoke_token: {
    summary: 'End a session by its token (RFC 7009); an unknown token counts as ended',
    access: forGateway,
    body: z.strictObject({ hash: credentialHash, client_id: clientId.optional() }),
    output: z.object({
      /** `other_client`: the session was opened for another client. */
      outcome: z.enum(['ended', 'unknown', 'other_client', 'invalid_client']),
    }),
    errors: [],
    event: 'sessions.ended',
    safe: true,
    narrows: true,
  },
} as const satisfies Record<string, Operation>
