// Installs as rows, with their versions, and without the offers and orders that they come from.
import { createHash } from 'node:crypto'
import { newId } from '@svc/runtime/id'
import type postgres from 'postgres'

export interface StoredInstall {
  readonly id: string
  readonly workspace_id: string
  readonly customer_workspace_id: string
  readonly offer_id: string
  readonly order_id: string
  readonly product_id: string | null
  readonly package_version_id: string
  readonly cluster_id: string | null
  readonly state: string
  readonly field_values: postgres.JSONValue
  readonly created_at: Date
}

type Given = Partial<StoredInstall> & Pick<StoredInstall, 'workspace_id' | 'customer_workspace_id'>

const least = {
  offer_id: 'offer_none',
  product_id: null,
  package_version_id: 'pkgv_none',
  cluster_id: null,
  state: 'started',
  field_values: {},
  created_at: new Date(1_700_000_000_500),
}

const input_schema = '{"type":"object","properties":{}}'
/** Services read it, too. */
export const version = {
  version: '1.0.0',
  input_schema,
  schema_hash: createHash('sha256').update(input_schema).digest('hex'),
}

/** Needs a superuser, since what the rows refer to need not exist. @returns them newest first */
export async function insertInstalls(sql: postgres.Sql, given: Given[]): Promise<StoredInstall[]> {
  const rows = given.map(row => ({ ...least, id: newId('inst'), order_id: newId('order'), ...row }))
  const connection = await sql.reserve()
  try {
    await connection`set session_replication_role = replica`
    const versions = new Map(rows.map(({ package_version_id: id, workspace_id }) => [id, workspace_id]))
    const ofVersions = [...versions].map(([id, workspace_id]) => ({
      ...version,
      id,
      workspace_id,
      package_id: `of ${id}`,
    }))
    await connection`insert into offers.package_versions ${connection(ofVersions)} on conflict (id) do nothing`
    for (let from = 0; from < rows.length; from += 1000) {
      const some = rows.slice(from, from + 1000)
      await connection`insert into offers.installs ${connection(some.map(row => ({ ...row, field_values: sql.json(row.field_values) })))}`
    }
  } finally {
    await connection`reset session_replication_role`
    connection.release()
  }
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1))
}
