import { fragment } from '@svc/runtime/sql-fragment'

export const productColumns = fragment`
  id, name, package_id, current_version_id as current_package_version_id, unix_seconds(created_at) as created_at`

export interface ProductRow {
  id: string
  name: string
  package_id: string
  current_package_version_id: string | null
  created_at: number
}

export const productFields = fragment`
  jsonb_build_object('name', name, 'current_package_version_id', current_version_id)`

export const productEvent = fragment`json_build_object(
  'workspace_id', workspace_id, 'package_id', package_id, 'current_package_version_id', current_version_id
)`
