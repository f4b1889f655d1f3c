import type * as z from 'zod'
import { invisibleIn } from './invisible.ts'
import { nameText } from './text.ts'

/**
 * A name of 1 to `max` characters, all visible. Services refuse web addresses in it: the list of top-level domains
 * would be a tenth of the client's size.
 */
export const displayName = (max: number): z.ZodString => nameText(max, invisibleIn)

export const workspaceName = displayName(100)
