import { z } from 'zod'
import { algorithms } from './import-keys.ts'

const trustedIssuer = z.strictObject({
  issuer: z.string().min(1, 'must be the exact "iss" of its tokens'),
  audience: z.string().min(1, 'must be the "aud" by which its tokens name this product'),
  jwks_uri: z
    .url({ protocol: /^https?$/, error: 'must be a URL' })
    .refine(
      isProtected,
      'must be an https:// URL without credentials (http:// on the loopback address only)',
    ),
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

/** The JSON array in the variable. Problems are reported with their path, without the value. */
export const trustedIssuers = z
  .string()
  .default('[]')
  .transform((text, { issues }): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      issues.push({ code: 'custom', message: 'must be a JSON array', input: text })
      return z.NEVER
    }
  })
  .pipe(z.array(trustedIssuer).refine(isUnambiguous, 'must name each issuer once'))

// Anyone who can answer in place of the issuer can sign in as anyone.
function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password) return false
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function isUnambiguous(issuers: readonly TrustedIssuer[]): boolean {
  return new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length
}
