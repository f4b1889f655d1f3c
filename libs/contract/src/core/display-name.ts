/** Names chosen by some people and read by others: in mail, on pages, on terminals. */
import type * as z from 'zod'
import { hasInvisible } from './invisible.ts'
import { nameText } from './text.ts'

/**
 * A scheme, `www.`, or a dotted word with a port, path, query or fragment. A dotted word alone stays: companies are called
 * Booking.com, and what mail programs make of that is prevented where mail is written.
 */
const link = /:\/\/|(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]|[\p{L}\p{N}]\.[\p{L}\p{N}-]+\.?[:/?#\\]\S/iu

/** As those read it who take fullwidth letters and ideographic full stops for what they look like. */
const plain = (name: string) => name.normalize('NFKC').replaceAll('\u3002', '.')

/** A name of 1 to `max` characters, all of which are seen, and no web address. */
export function displayName(max: number): z.ZodString {
  return nameText(max).check(({ value, issues }) => {
    if (value.length > 2 * max) return
    const problem = hasInvisible(value)
      ? 'must not contain line breaks or invisible characters'
      : link.test(plain(value))
        ? 'must not contain a web address'
        : undefined
    if (problem) issues.push({ code: 'custom', message: problem, input: value })
  })
}

export const workspaceName = displayName(100)
