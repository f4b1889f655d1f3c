import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { readLicenceKeys } from './licence-keys.ts'

export const listLicenceKeys: Handler<typeof offers.operations.list_licence_keys, Deps> = async (
  { params: { id } },
  _caller,
  { sql, now },
) => ({
  body: await readLicenceKeys(sql, id, now()),
  headers: { 'Cache-Control': 'public, max-age=60' },
})
