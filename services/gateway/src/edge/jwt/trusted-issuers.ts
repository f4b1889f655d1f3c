import { issuersOf, keysUrl } from '@svc/runtime/issuer-config'
import { z } from 'zod'
import { algorithms } from './import-keys.ts'

const trustedIssuer = z.strictObject({
  issuer: z.string().min(1, 'must be the exact "iss" of its tokens'),
  audience: z.string().min(1, 'must be the "aud" by which its tokens name this product'),
  jwks_uri: keysUrl,
  email_claim: z.string().min(1).default('email'),
  /**
   * Whether `email_verified` has to be true; without it, anyone who can change their address there can
   * impersonate others here.
   */
  require_email_verified: z.boolean().default(true),
  /** Whatever `exp` says: a stolen token must not stay valid for years. */
  max_age_seconds: z.int().min(60).max(2_592_000).default(86_400),
  typ: z.string().min(1).default('at+jwt'),
  algorithms: z.array(z.enum(algorithms)).min(1).default(['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256']),
})
export type TrustedIssuer = z.output<typeof trustedIssuer>

export const trustedIssuers = issuersOf(trustedIssuer, '[]')
