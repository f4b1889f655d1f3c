/** Makes other people's text safe to quote in our messages. */
import { replaceInvisible } from '@svc/contract/core/invisible'

/** Other local parts (RFC 5321) may be, for example, a link. */
export const plainAddress = /^[a-z0-9._+-]+@[a-z0-9.-]+$/

/**
 * Other people choose names, and older ones were not checked: line breaks, quotes, or marks of writing direction
 * could pretend to be our text. Mail programs make links of dotted words, which a space after the dot prevents.
 */
export const quotable = (name: string) =>
  replaceInvisible(name, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
    .replace(/([.:\u2024\u3002\uff0e\uff1a\uff61])(?=\S)/gu, '$1 ')
    .trim()
