/** Where field values are kept: each table read in the order of its ids, and written where nobody has changed it since. */
import type { Sql } from '@svc/runtime/database'
import { schemaOfVersion } from '../catalogue/packages/package-columns.ts'
import type { Values } from './sealed-values.ts'

export const tables = ['offers', 'orders', 'installs'] as const
export type Table = (typeof tables)[number]

export interface KeptValues {
  readonly id: string
  /** The offer, or the order, that they are sealed for. */
  readonly home: string
  readonly field_values: Values
  readonly version: { readonly id: string; readonly workspace_id: string; readonly schema_hash: string }
}

interface Kept {
  /** The next rows with values above that id. */
  read(sql: Sql, after: string, limit: number): Promise<KeptValues[]>
  write(sql: Sql, row: KeptValues, values: Values): Promise<unknown>
}

export const keptValues: Record<Table, Kept> = {
  offers: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_offer_values */
      select o.id, o.id as home, o.field_values,
        ${schemaOfVersion}
      from offers o join package_versions v on v.id = o.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    write: (sql, { id, field_values }, values) => sql`/* offers.write_offer_values */
      update offers set field_values = ${sql.json(values)}
      where id = ${id} and field_values = ${sql.json(field_values)}`,
  },
  orders: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_order_values */
      select o.id, o.id as home, o.field_values,
        ${schemaOfVersion}
      from orders o join offers f on f.id = o.offer_id join package_versions v on v.id = f.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    write: (sql, { id, field_values }, values) => sql`/* offers.write_order_values */
      update orders set field_values = ${sql.json(values)}
      where id = ${id} and field_values = ${sql.json(field_values)}`,
  },
  installs: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_install_values_to_reseal */
      select i.id, i.order_id as home, i.field_values,
        ${schemaOfVersion}
      from installs i join package_versions v on v.id = i.package_version_id
      where i.id > ${after} and i.field_values <> '{}'
      order by i.id limit ${limit}`,
    write: (sql, { id, field_values }, values) => sql`/* offers.write_install_values */
      update installs set field_values = ${sql.json(values)}
      where id = ${id} and field_values = ${sql.json(field_values)}`,
  },
}
