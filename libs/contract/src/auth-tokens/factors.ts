/** Second factors of people: passkeys (WebAuthn), TOTP (RFC 6238) and recovery codes. */
import * as z from 'zod'
import { browser, forGateway, internal } from '../core/access.ts'
import { credentialHash } from './credential-lookup.ts'
import { displayName } from '../core/display-name.ts'
import { emailAddress } from '../core/email-address.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { anyText, createdAt, idOf, text, unixSeconds } from '../core/text.ts'
import { maxBrowserTokens, openedInBrowser, origin, password } from './sessions.ts'

export const maxPasskeys = 10
export const recoveryCodeCount = 10

/** How long somebody may take between the password and the factor, and for one challenge. */
export const pendingSignInSeconds = 300

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url')
const credential = { id: base64url(1400), rawId: base64url(1400), type: z.literal('public-key') }

/** As browsers make it (WebAuthn Level 3, 5.1): what is not used is left out. */
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(2000),
    signature: base64url(7000),
  }),
})
const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(10_000),
    transports: z.array(text(1, 32)).max(10).default([]),
  }),
})
export type Assertion = z.output<typeof assertion>
export type Attestation = z.output<typeof attestation>

/** A code is of TOTP or a recovery code. */
export const factorProof = z.union([
  z.strictObject({ code: anyText(1, 100) }),
  z.strictObject({ passkey: assertion }),
])
export type FactorProof = z.output<typeof factorProof>

/** For `navigator.credentials`, as `PublicKeyCredential.parse…OptionsFromJSON()` reads it. */
const options = z.record(z.string(), z.unknown())
const requestOptions = options.nullable().describe('To prove a passkey; null: the person has none.')

export const recoveryCodes = z
  .array(z.string())
  .register(secrets)
  .describe('Shown only once. Each replaces the factor once.')

const recoveryCodesOfFirst = recoveryCodes.nullable().describe('Null: the person had a factor before.')

export const factorOperations = {
  list_factors: {
    summary: 'List one’s own second factors',
    access: browser,
    output: z.object({
      passkeys: z.array(
        z.object({
          id: idOf('passkey', 'pk'),
          name: z.string(),
          created_at: createdAt,
          last_used_at: unixSeconds.nullable(),
        }),
      ),
      totp: z.object({ created_at: createdAt }).nullable(),
      recovery_codes: z.int().describe('How many are left.'),
      options: requestOptions,
    }),
    errors: ['Unauthorized'],
    safe: true,
  },
  start_factor: {
    summary: 'Start to add a factor, proven by another one or, for the first, by the password',
    access: browser,
    body: z.strictObject({
      kind: z.enum(['passkey', 'totp']),
      proof: z.union([factorProof, z.strictObject({ password })]),
    }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('passkey'), options }),
      z.object({
        kind: z.literal('totp'),
        permit: z.string(),
        sealed: z.string(),
        secret: z.string().register(secrets).describe('In base32.'),
        uri: z.string().register(secrets).describe('`otpauth://totp/…`'),
      }),
    ]),
    errors: ['Unauthorized', 'Conflict', 'Unprocessable', 'RateLimited'],
    event: 'factors.added',
    narrows: false,
  },
  add_passkey: {
    summary: 'Add the passkey that a browser has made for start_factor',
    access: browser,
    body: z.strictObject({ name: displayName(100), passkey: attestation }),
    output: z.object({ id: z.string(), recovery_codes: recoveryCodesOfFirst }),
    errors: ['Unauthorized', 'Unprocessable'],
    event: 'factors.added',
    narrows: true,
  },
  add_totp: {
    summary: 'Add the secret of start_factor, proven by one of its codes',
    access: browser,
    body: z.strictObject({ permit: text(1, 500), sealed: text(1, 500), code: anyText(1, 100) }),
    output: z.object({ recovery_codes: recoveryCodesOfFirst }),
    errors: ['Unauthorized', 'Conflict', 'Unprocessable'],
    event: 'factors.added',
    narrows: true,
  },
  remove_factor: {
    summary: 'Remove a factor, proven by any of them or a recovery code',
    access: browser,
    body: z.strictObject({
      id: text(1, 64).describe('The id of a passkey, or `totp`.'),
      proof: factorProof,
    }),
    errors: ['Unauthorized', 'NotFound', 'Unprocessable', 'RateLimited'],
    event: 'factors.removed',
    narrows: true,
  },
  create_recovery_codes: {
    summary: 'Replace the recovery codes, proven by a factor or one of them',
    access: browser,
    body: z.strictObject({ proof: factorProof }),
    output: z.object({ recovery_codes: recoveryCodes }),
    errors: ['Unauthorized', 'Unprocessable', 'RateLimited'],
    event: 'factors.recovery_codes_created',
    narrows: false,
  },
  read_pending_sign_in: {
    summary:
      'Read by which factors a pending sign-in can go on; without one, the options for a passkey alone',
    access: forGateway,
    body: z.strictObject({ hash: credentialHash.optional() }),
    output: z.object({
      has_ended: z.boolean(),
      has_totp: z.boolean(),
      options: requestOptions,
    }),
    errors: [],
    safe: true,
  },
  complete_sign_in: {
    summary: 'Start a session with the factor of a pending sign-in, or with a passkey alone',
    access: forGateway,
    body: z.strictObject({
      hash: credentialHash
        .optional()
        .describe('Of the token of the pending sign-in; absent: a passkey alone.'),
      proof: factorProof,
      origin,
      browser_hashes: z.array(credentialHash).max(maxBrowserTokens).optional(),
    }),
    output: openedInBrowser,
    errors: ['Unauthorized', 'Unprocessable', 'RateLimited'],
    event: 'sign_ins.succeeded',
    narrows: true,
  },
  reset_factors: {
    summary: 'Remove all factors of a user who has lost them',
    access: internal,
    body: z.strictObject({ email: emailAddress }),
    output: z.object({ id: z.string() }),
    errors: ['Unprocessable'],
    event: 'factors.reset',
    safe: true,
    narrows: true,
  },
} as const satisfies Record<string, Operation>
