import type { Handler } from '@svc/contract/core/operation'
import type { offers } from '@svc/contract/offers/offers'
import { type Count, resealer, type SealedRow } from '@svc/runtime/reseal'
import { sealedWith } from '@svc/runtime/seal'
import { fragment } from '@svc/runtime/sql-fragment'
import { schemaOfVersion } from '../catalogue/packages/package-columns.ts'
import type { Deps } from '../deps.ts'
import { keyContext } from '../licences/licence-keys.ts'
import { secretFields } from '../offers/create/check-field-values.ts'
import {
  inOffer,
  type OfferedValues,
  offerContext,
  orderContext,
  resealValues,
  type Values,
} from './sealed-values.ts'

interface Row extends SealedRow {
  readonly home: string
  readonly sealed: Values | string
  readonly version: { readonly id: string; readonly workspace_id: string; readonly schema_hash: string }
}

async function sealAgain({ sealed, home, version }: Row, deps: Deps) {
  const secret = await secretFields(version, deps)
  return resealValues(deps.seal, sealed as Values, secret, orderContext(home))
}

const unchanged = fragment`kept.id = g.id and kept.field_values = g.before returning 1`

export const reseal: Handler<typeof offers.operations.reseal, Deps> = resealer<Row, Deps>({
  offers: {
    read: (sql, after, limit) => sql<Row>`/* offers.read_offer_values */
      select o.id, o.id as home, o.field_values as sealed,
        ${schemaOfVersion}
      from offers o join package_versions v on v.id = o.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    async again({ sealed, home, version }, deps) {
      const secret = await secretFields(version, deps)
      return inOffer(sealed as OfferedValues, values =>
        resealValues(deps.seal, values, secret, offerContext(home)),
      )
    },
    write: (sql, g, count) => sql<Count>`/* offers.write_offer_values */
      with written as (update offers kept set field_values = g.after from ${g} where ${unchanged}), ${count}`,
  },
  orders: {
    read: (sql, after, limit) => sql<Row>`/* offers.read_order_values */
      select o.id, o.id as home, o.field_values as sealed,
        ${schemaOfVersion}
      from orders o join offers f on f.id = o.offer_id join package_versions v on v.id = f.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    again: sealAgain,
    write: (sql, g, count) => sql<Count>`/* offers.write_order_values */
      with written as (update orders kept set field_values = g.after from ${g} where ${unchanged}), ${count}`,
  },
  installs: {
    read: (sql, after, limit) => sql<Row>`/* offers.read_install_values_to_reseal */
      select i.id, i.order_id as home, i.field_values as sealed,
        ${schemaOfVersion}
      from installs i join package_versions v on v.id = i.package_version_id
      where i.id > ${after} and i.field_values <> '{}'
      order by i.id limit ${limit}`,
    again: sealAgain,
    write: (sql, g, count) => sql<Count>`/* offers.write_install_values */
      with written as (update installs kept set field_values = g.after from ${g} where ${unchanged}), ${count}`,
  },
  licence_keys: {
    read: (sql, after, limit) => sql<Row>`/* offers.list_sealed_licence_keys */
      select kid as id, kid as home, private_jwk as sealed from licence_keys
      where kid > ${after} and retired_at is null order by kid limit ${limit}`,
    again({ sealed, home }, { seal }) {
      const sealedBy = sealedWith(String(sealed))
      if (sealedBy === seal.keyId) return sealed
      const text = sealedBy ? seal.unseal(String(sealed), keyContext(home)) : String(sealed)
      return seal.seal(text, keyContext(home))
    },
    write: (sql, g, count) => sql<Count>`/* offers.write_licence_keys */
      with written as (
        update licence_keys k set private_jwk = g.after #>> '{}' from ${g}
        where k.kid = g.id and k.private_jwk = g.before #>> '{}'
        returning 1
      ), ${count}`,
  },
})
