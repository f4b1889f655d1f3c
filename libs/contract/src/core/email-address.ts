/** Email addresses in the one form in which they are stored, compared, shown and written to. */
import * as z from 'zod'

/** Longer inputs have no form of 254 characters: composing letters shortens a text to a third at most. */
const longest = 1000
const beyondAscii = /[^\0-\x7f]/

/**
 * The address in NFKC, with its domain in lower case and ASCII as in the DNS (UTS 46, as browsers do). An invalid
 * domain is left for the check to refuse.
 */
function inDnsForm(address: string): string {
  if (address.length > longest) return address
  const plain = address.normalize('NFKC').replaceAll('\u3002', '.')
  const at = plain.lastIndexOf('@') + 1
  const domain = plain.slice(at).toLowerCase()
  return plain.slice(0, at) + (beyondAscii.test(domain) ? inAscii(domain) : domain)
}

function inAscii(domain: string): string {
  const url = `https://${domain}`
  // A domain has none of the characters that end the host of a URL.
  const isHost = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/u.test(domain) && URL.canParse(url)
  return isHost ? new URL(url).hostname : domain
}

export const isMailboxAscii = (address: string): boolean =>
  !beyondAscii.test(address.normalize('NFKC').replace(/@[^@]*$/, ''))

/** Each change to the schema drops its metadata. */
const meta = { format: 'idn-email', pattern: undefined }

/**
 * An email address as browsers check it (HTML standard), of at most 254 characters. Its domain may be
 * internationalised. Other letters before the @ are refused: mail reaches them only if every server on the way has
 * SMTPUTF8 (RFC 6531).
 */
export const shownEmailAddress = z
  .string()
  .overwrite(inDnsForm)
  .check(
    z.email({
      pattern: z.regexes.html5Email,
      error: ({ code, input }) => {
        if (code !== 'invalid_format') return undefined
        return isMailboxAscii(String(input))
          ? 'must be an email address'
          : 'must have only ASCII characters before the @'
      },
    }),
  )
  .max(254)
  .meta(meta)

export const emailAddress = shownEmailAddress.toLowerCase().meta(meta)
