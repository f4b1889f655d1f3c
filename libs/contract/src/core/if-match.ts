import * as z from 'zod'

/**
 * One strong etag, bare or in quotes: `*`, weak etags and lists are refused (RFC 9110, 13.1.1).
 *
 * @param of what it is the etag of: `compute settings`
 */
export const ifMatch = (of: string) =>
  z
    .string({
      error: ({ code }) =>
        code === 'invalid_type' ? `is required: send the etag of the latest ${of}` : undefined,
    })
    .max(66)
    .regex(
      /^(?:[A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}")$/,
      `must be one etag of the ${of}, bare or in double quotes; *, weak etags and lists are not accepted`,
    )
    .transform(value => value.replaceAll('"', ''))
    .describe(`The etag of the latest ${of}, bare or in double quotes.`)
