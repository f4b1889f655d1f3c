/** Names chosen by some people and read by others: in mail, on pages, on terminals. */
import type * as z from 'zod'
import { invisibleIn } from './invisible.ts'
import { nameText } from './text.ts'

/**
 * A name of 1 to `max` characters, all of which are seen. Services refuse web addresses in it: the list of top-level domains
 * would be a tenth of what the client carries.
 */
export const displayName = (max: number): z.ZodString => nameText(max, invisibleIn)

export const workspaceName = displayName(100)
