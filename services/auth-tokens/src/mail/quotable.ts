/** What others have written, so that it can stand in a message of ours. */
import { replaceInvisible } from '@svc/contract/core/invisible'

/** The part before the @ may be much else (RFC 5321), such as a link. */
export const plainAddress = /^[a-z0-9._+-]+@[a-z0-9.-]+$/

/**
 * Names are other people's, and older ones were not checked: with line breaks, quotes, or marks of writing direction they could
 * pretend to be text of ours. Mail programs make links of dotted words, which a space after the dot prevents.
 */
export const quotable = (name: string) =>
  replaceInvisible(name, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
    .replace(/([.:\u2024\u3002\uff0e\uff1a\uff61])(?=\S)/gu, '$1 ')
    .trim()
