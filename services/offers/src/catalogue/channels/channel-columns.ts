import { fragment } from '@svc/runtime/sql-fragment'

export const channelColumns = fragment`
  id, product_id, name, status, active_policy, unix_seconds(created_at) as created_at`

export const channelFields = fragment`jsonb_build_object('name', name, 'status', status)`

export const policyFields = fragment`jsonb_build_object('active_policy', active_policy)`

export const channelEvent = fragment`
  json_build_object('workspace_id', workspace_id, 'product_id', product_id, 'status', status)`

export interface OfferChannelRow {
  id: string
  product_id: string
  name: string
  status: 'active' | 'inactive'
  active_policy: number | null
  created_at: number
}
