import { licenceAlgorithm, retiredLicenceKeyDays } from '@svc/contract/offers/licences'
import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import type { Seal } from '@svc/runtime/seal'
import { fragment } from '@svc/runtime/sql-fragment'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

export const maxLicenceKeys = 20

/** The sealing context of a private key. */
export const keyContext = (kid: string): string => `licence_keys ${kid}`

/** A new pair. Its id is its thumbprint (RFC 7638), so that no two keys ever share one. */
export async function newLicenceKey({ seal }: Seal) {
  const { publicKey, privateKey } = await generateKeyPair(licenceAlgorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    public_jwk: { ...jwk, kid, alg: licenceAlgorithm, use: 'sig' },
    private_jwk: seal(JSON.stringify(await exportJWK(privateKey)), keyContext(kid)),
  }
}

export const publishedSince = (now: number) =>
  fragment`to_timestamp(${now / 1000}) - make_interval(days => ${retiredLicenceKeyDays})`

type Keys = Reply<typeof offers.operations.list_licence_keys>['body']

/** @param now Unix milliseconds */
export async function readLicenceKeys(sql: Sql, workspace: string, now: number): Promise<Keys> {
  const rows = await sql<{ public_jwk: Keys['keys'][number] }>`/* offers.list_licence_keys */
    select public_jwk from licence_keys
    where workspace_id = ${workspace} and (retired_at is null or retired_at > ${publishedSince(now)})
    order by retired_at desc`
  return { keys: rows.map(({ public_jwk }) => public_jwk) }
}
