import { fragment } from '@svc/runtime/sql-fragment'

export const packageColumns = fragment`id, name, unix_seconds(created_at) as created_at`

export interface PackageRow {
  id: string
  name: string
  created_at: number
}

export const packageFields = fragment`jsonb_build_object('name', name)`

export const versionColumns = fragment`id, package_id, version, unix_seconds(created_at) as created_at`

export const schemaOfVersion = fragment`
  jsonb_build_object('id', v.id, 'workspace_id', v.workspace_id, 'schema_hash', v.schema_hash) as version`

export interface PackageVersionRow {
  id: string
  package_id: string
  version: string
  created_at: number
  input_schema: string
  instructions: string | null
}
