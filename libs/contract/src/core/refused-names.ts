import * as z from 'zod'

/**
 * Why an object does not take a property that clients may expect; continues a sentence that begins with its name.
 */
export const refusedNames = z.registry<Readonly<Record<string, string>>>()
