import { fragment } from '@svc/runtime/sql-fragment'

export interface EndpointRow {
  readonly id: string
  readonly url: string
  readonly event_types: string[]
  readonly description: string
  readonly state: 'active' | 'paused' | 'disabled'
  readonly disabled_reason: 'failing' | 'gone' | null
  readonly failing_since: number | null
  readonly last_delivered_at: number | null
  readonly previous_secret_expires_at: number | null
  readonly created_at: number
}

export interface HeldRow extends EndpointRow {
  readonly is_held: boolean
}

export const endpointColumns = fragment`
  id, url, event_types, description, state, disabled_reason, unix_seconds(failing_since) as failing_since,
  unix_seconds(last_delivered_at) as last_delivered_at,
  unix_seconds(previous_secret_expires_at) as previous_secret_expires_at, unix_seconds(created_at) as created_at`

/** @param now Unix milliseconds */
export const endpointRecord = (row: EndpointRow, now: number) => ({
  ...row,
  previous_secret_expires_at:
    (row.previous_secret_expires_at ?? 0) * 1000 > now ? row.previous_secret_expires_at : null,
})

/** Events show only the host of a URL: paths and queries often are secrets. */
export const endpointFields = fragment`jsonb_build_object(
  'url', substring(url from '^[^/]*//[^/?]*'), 'event_types', event_types, 'description', description, 'state', state
)`

export const endpointData = fragment`jsonb_build_object('workspace_id', workspace_id)`

export const secretContext = (id: string): string => `webhook_endpoints ${id}`
