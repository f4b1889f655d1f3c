/**
 * Tables with field values: each is read in the order of its ids, and written only if nobody has changed it since.
 */
import type { Attribution } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { countResealed } from '@svc/runtime/outbox/resealed'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { schemaOfVersion } from '../catalogue/packages/package-columns.ts'
import type { Values } from './sealed-values.ts'

export const tables = ['offers', 'orders', 'installs'] as const
export type Table = (typeof tables)[number]

export interface KeptValues {
  readonly id: string
  readonly home: string
  readonly field_values: Values
  readonly version: { readonly id: string; readonly workspace_id: string; readonly schema_hash: string }
}

export interface Resealed {
  readonly id: string
  readonly before: Values
  readonly after: Values
}

interface Kept {
  read(sql: Sql, after: string, limit: number): Promise<KeptValues[]>
  /** Writes one event for all rows. @returns how many nobody had changed */
  write(sql: Sql, rows: readonly Resealed[], by: Attribution): Promise<number>
}

export const keptValues: Record<Table, Kept> = {
  offers: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_offer_values */
      select o.id, o.id as home, o.field_values,
        ${schemaOfVersion}
      from offers o join package_versions v on v.id = o.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    write: async (sql, rows, by) =>
      countOf(
        await sql<Total>`/* offers.write_offer_values */
        with written as (update offers ${toResealed(sql, rows)}), ${countResealed(by, 'offers')}`,
      ),
  },
  orders: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_order_values */
      select o.id, o.id as home, o.field_values,
        ${schemaOfVersion}
      from orders o join offers f on f.id = o.offer_id join package_versions v on v.id = f.package_version_id
      where o.id > ${after} and o.field_values <> '{}'
      order by o.id limit ${limit}`,
    write: async (sql, rows, by) =>
      countOf(
        await sql<Total>`/* offers.write_order_values */
        with written as (update orders ${toResealed(sql, rows)}), ${countResealed(by, 'orders')}`,
      ),
  },
  installs: {
    read: (sql, after, limit) => sql<KeptValues>`/* offers.read_install_values_to_reseal */
      select i.id, i.order_id as home, i.field_values,
        ${schemaOfVersion}
      from installs i join package_versions v on v.id = i.package_version_id
      where i.id > ${after} and i.field_values <> '{}'
      order by i.id limit ${limit}`,
    write: async (sql, rows, by) =>
      countOf(
        await sql<Total>`/* offers.write_install_values */
        with written as (update installs ${toResealed(sql, rows)}), ${countResealed(by, 'installs')}`,
      ),
  },
}

interface Total {
  readonly count: number
}
const countOf = ([total]: Total[]) => total?.count ?? 0

const toResealed = (sql: Sql, rows: readonly Resealed[]): Fragment => fragment`
  as kept set field_values = g.after
  from jsonb_to_recordset(${sql.json(rows)}) as g (id text, before jsonb, after jsonb)
  where kept.id = g.id and kept.field_values = g.before
  returning 1`
