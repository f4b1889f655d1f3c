/** Sessions: opened at the sign-in page or by the device grant, listed and ended by their person. */
import * as z from 'zod'
import { browser, forGateway, internal, person } from './access.ts'
import { credentialHash } from './credential-lookup.ts'
import type { Operation } from './operation.ts'
import { emailAddress, page, pageQuery, pathId, text, unixSeconds, wireId } from './text.ts'

/** Where a request came from, as it is shown to the person whose account it concerns. */
export const origin = z.strictObject({ address: text(0, 64), user_agent: text(0, 300) })
export type Origin = z.infer<typeof origin>

/** An OAuth client, as in RFC 6749 section 2.2. All are public: none has a secret. */
export const clientId = text(1, 64)

export const openedSession = z.object({
  id: z.string(),
  token: z.string().describe('The session token. Shown this once.'),
  expires_at: unixSeconds,
})

/** A browser is known to an account for so long after it signed in last. */
export const knownBrowserSeconds = 180 * 24 * 60 * 60
/** A browser keeps an id for each of so many accounts. */
export const maxBrowserTokens = 5

export const openedInBrowser = openedSession.extend({
  browser_token: z
    .string()
    .optional()
    .describe(
      'The id by which this account knows the browser from now on; absent: it has one, or keeps none.',
    ),
})

export const password = text(1, 200)
/** For a password that a person chooses: its length counts, and no rule makes it predictable. Auth-tokens refuses common ones. */
export const newPassword = z.string().min(8, 'must have at least 8 characters').max(200)

const userId = wireId('user')

const session = z
  .object({
    id: z.string(),
    client: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The OAuth client that it was opened for; null: a browser.'),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: unixSeconds,
    last_used_at: unixSeconds.nullable(),
    expires_at: unixSeconds,
    current: z.boolean().describe('Whether it is the one that asks.'),
  })
  .meta({ id: 'Session' })

export const sessionOperations = {
  list_sessions: {
    summary: 'List one’s own sessions',
    http: { method: 'GET', path: '/sessions', status: 200 },
    access: person,
    query: pageQuery,
    output: page(session),
    errors: [],
    safe: true,
  },
  end_session: {
    summary: 'End one of one’s own sessions; `current` names the one that asks',
    http: { method: 'DELETE', path: '/sessions/{id}', status: 204 },
    access: person,
    params: z.object({ id: pathId }),
    errors: ['NotFound'],
  },
  read_user: {
    summary: 'Who the session belongs to, and until when',
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
    summary: 'The e-mail address that a user has verified',
    access: forGateway,
    body: z.strictObject({ user_id: text(1, 64) }),
    output: z.object({ email: z.string().nullable() }),
    errors: [],
    safe: true,
  },
  sign_in: {
    summary: 'Open a session for who knows the password',
    access: forGateway,
    body: z.strictObject({
      email: emailAddress,
      password,
      origin,
      browser_hashes: z
        .array(credentialHash)
        .max(maxBrowserTokens)
        .optional()
        .describe('Of the ids that the browser keeps; absent: it keeps none, and is not remembered.'),
    }),
    output: openedInBrowser,
    errors: ['Unauthorized', 'RateLimited'],
  },
  create_session: {
    summary: 'Open a session for a user',
    access: internal,
    body: z.strictObject({ user_id: userId }),
    output: openedSession,
    errors: ['Unprocessable'],
  },
  revoke_session: {
    summary: 'End a session',
    access: internal,
    body: z.strictObject({ id: wireId('sess') }),
    errors: ['NotFound'],
  },
  revoke_token: {
    summary: 'End the session whose token is shown (RFC 7009); one that is not known is ended already',
    access: forGateway,
    body: z.strictObject({ hash: credentialHash, client_id: clientId.optional() }),
    output: z.object({
      /** `other_client`: the session was opened for another client than the one that asks. */
      outcome: z.enum(['ended', 'unknown', 'other_client', 'invalid_client']),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
