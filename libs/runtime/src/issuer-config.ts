/** Variables that name issuers of tokens, as JSON. */
import { z } from 'zod'

export const keysUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL' })
  .refine(isProtected, 'must be an https:// URL without credentials (http:// on the loopback address only)')

/** The JSON array in the variable. Problems are reported with their path, without the value. */
export const issuersOf = <Issuer extends z.ZodType<{ issuer: string }>>(issuer: Issuer, otherwise: string) =>
  z
    .string()
    .default(otherwise)
    .transform((text, { issues }): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        issues.push({ code: 'custom', message: 'must be a JSON array', input: text })
        return z.NEVER
      }
    })
    .pipe(z.array(issuer).refine(isUnambiguous, 'must name each issuer once'))

// Anyone who can answer in place of the issuer can sign in as anyone.
function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password) return false
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function isUnambiguous(issuers: readonly { issuer: string }[]): boolean {
  return new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length
}
