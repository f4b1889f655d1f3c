import { fragment } from '@svc/runtime/sql-fragment'

export interface DeliveryRow {
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly created_at: number
  readonly next_attempt_at: number | null
  readonly attempts: {
    readonly at: number
    readonly status: number | null
    readonly duration_ms: number
    readonly error: string | null
  }[]
}

/** A delivery is pending while a manual attempt is requested, whatever its earlier state. */
export const deliveryColumns = fragment`
  event_id as id, type, aggregate_id, case when asked_at is null then state else 'pending' end as state,
  unix_seconds(event_created_at) as created_at,
  unix_seconds(coalesce(asked_at, case when state = 'pending' then next_at end)) as next_attempt_at, attempts`

/** Names the attempt, in Unix seconds: a replica of the release before leaves the answer to an earlier one. */
export const answerContext = (endpointId: string, eventId: string, at: number): string =>
  `webhook_deliveries ${endpointId} ${eventId} ${Math.floor(at)}`
