import { at, licence, licenceKeys } from '../openapi/example-names.ts'

export const theLicence = { licence, expires_at: at(3200 + 30 * 86_400), renew_after: at(3200 + 15 * 86_400) }

export const exampleKey = (key: { readonly kid: string; readonly x: string; readonly y: string }) =>
  ({ kty: 'EC', crv: 'P-256', ...key, alg: 'ES256', use: 'sig' }) as const
export const firstKeys = { keys: [exampleKey(licenceKeys.first)] }
