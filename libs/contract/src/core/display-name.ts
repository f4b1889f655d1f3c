/** Names chosen by some people and read by others: in mail, on pages, on terminals. */
import type * as z from 'zod'
import { hasInvisible } from './invisible.ts'
import { nameText } from './text.ts'

/**
 * A name of 1 to `max` characters, all of which are seen. Services refuse web addresses in it: the list of top-level domains
 * would be a tenth of what the client carries.
 */
export function displayName(max: number): z.ZodString {
  return nameText(max).check(({ value, issues }) => {
    if (value.length > 2 * max || !hasInvisible(value)) return
    const message = 'must not contain line breaks or invisible characters'
    issues.push({ code: 'custom', message, input: value })
  })
}

export const workspaceName = displayName(100)
