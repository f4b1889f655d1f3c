import * as z from 'zod'
import { unixSeconds } from '../core/text.ts'

export const licenceType = 'licence+jwt'
export const licenceAlgorithm = 'ES256'

/** Retired keys are published as long as a licence that they signed may be in use. */
export const retiredLicenceKeyDays = 400

/** As a JWT: the guide “Licences” has its claims. */
export const licence = z
  .object({
    licence: z.string().describe('A JWT (RFC 7519), signed with the key of the seller (ES256).'),
    expires_at: unixSeconds.describe('When the licence ends by itself, in Unix seconds.'),
    renew_after: unixSeconds.describe('From when on to ask for a new one: halfway, in Unix seconds.'),
  })
  .meta({ id: 'Licence' })

const coordinate = z.string().describe('In base64url (RFC 7518, 6.2.1).')

export const licenceKeys = z
  .object({
    keys: z
      .array(
        z
          .object({
            kty: z.literal('EC').describe('The kind of key.'),
            crv: z.literal('P-256').describe('The curve.'),
            x: coordinate,
            y: coordinate,
            kid: z
              .string()
              .describe('The thumbprint of the key (RFC 7638), named in the header of a licence.'),
            alg: z.literal(licenceAlgorithm).describe('What the key is for.'),
            use: z.literal('sig').describe('What the key is for.'),
          })
          .meta({ id: 'LicenceKey' }),
      )
      .describe('The key that signs first, then retired ones; empty: none was needed yet.'),
  })
  .meta({ id: 'LicenceKeys' })
