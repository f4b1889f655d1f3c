/** Names chosen by some people and read by others: in mail, on pages, on terminals. */
import tlds from 'tlds' with { type: 'json' }
import type * as z from 'zod'
import { hasInvisible } from './invisible.ts'
import { text } from './text.ts'

/** RFC 6761 and others: some networks have hosts there. */
const specialDomains = ['example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']
const topLevelDomains = new Set([...tlds, ...specialDomains])

/** A scheme, `www.`, or a number of a host with a port, path, query or fragment. */
const link = /:\/\/|(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]|(?<!\d)(?:\d{1,3}\.){3}\d{1,3}[:/?#\\]\S/iu
/**
 * A dotted word with one of these. It is an address if the Internet has its end: Node.js/React has none. A dotted word alone
 * stays: companies are called Booking.com, and what mail programs make of that is prevented where mail is written.
 */
const dotted = /(?<=[\p{L}\p{N}])\.([\p{L}\p{M}\p{N}-]+)\.?[:/?#\\]\S/giu

function isAddress(name: string): boolean {
  // As those read it who take fullwidth letters and ideographic full stops for what they look like.
  const plain = name.normalize('NFKC').replaceAll('\u3002', '.')
  if (link.test(plain)) return true
  return [...plain.matchAll(dotted)].some(([, end = '']) => topLevelDomains.has(end.toLowerCase()))
}

/** A name of 1 to `max` characters, all of which are seen, and no web address. */
export function displayName(max: number): z.ZodString {
  return text(1, max).check(({ value, issues }) => {
    if (value.length > 2 * max) return
    const problem = hasInvisible(value)
      ? 'must not contain line breaks or invisible characters'
      : isAddress(value)
        ? 'must not contain a web address'
        : undefined
    if (problem) issues.push({ code: 'custom', message: problem, input: value })
  })
}

export const workspaceName = displayName(100)
