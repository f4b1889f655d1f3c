import * as z from 'zod'

/** Why an object does not take a property that clients may expect there, as the rest of a sentence that begins with its name. */
export const refusedNames = z.registry<Readonly<Record<string, string>>>()
