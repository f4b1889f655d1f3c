/** Every metric of the product, declared once: docs/running/observability.md lists them, and a test holds the two equal. */

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const items = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export const metricsTable = {
  svc_build_info: gauge('Always 1; the labels say what runs.', 'version', 'node'),

  svc_http_requests_total: counter(
    'HTTP requests answered; 499 where the client went away first.',
    'operation',
    'status',
  ),
  svc_http_request_duration_seconds: histogram(
    seconds,
    'Time from the headers of an HTTP request to the end of its response.',
    'operation',
  ),
  svc_http_requests_in_flight: gauge('HTTP requests in progress, by service.', 'target'),
  svc_credential_lookups_total: counter(
    'Requests with a credential, by how their caller was found out.',
    'kind',
    'outcome',
  ),

  svc_bus_calls_total: counter(
    'Calls of operations over the bus, as the caller sees them.',
    'operation',
    'outcome',
  ),
  svc_bus_call_duration_seconds: histogram(
    seconds,
    'Calls over the bus, as the caller sees them.',
    'operation',
  ),
  svc_bus_calls_waiting: gauge('Calls over the bus waiting for a reply.'),
  svc_bus_connected: gauge('1 while the connection to the bus is up, else 0.'),
  svc_bus_disconnects_total: counter('Lost connections to the bus.'),

  svc_operations_total: counter('Operations handled.', 'operation', 'status'),
  svc_operation_duration_seconds: histogram(seconds, 'Time from receiving a call to replying.', 'operation'),
  svc_operations_in_flight: gauge('Operations in progress.'),
  svc_rate_limited_total: counter('Refused with 429 because a rate limit was reached.', 'policy'),
  svc_shed_total: counter('Refused with 503 because a bound was reached.', 'at'),
  svc_deadline_drops_total: counter('Dropped because the deadline of the call had passed.', 'at'),

  svc_batch_size: histogram(items, 'Calls that shared one message or statement.', 'batch'),
  svc_queue_depth: gauge('Items waiting in memory.', 'queue'),
  svc_tenants_waiting: gauge('Tenants, mostly workspaces, with requests waiting for their turn.', 'queue'),

  svc_database_statements_total: counter('Statements sent to PostgreSQL.', 'outcome'),
  svc_database_statement_duration_seconds: histogram(
    seconds,
    'Duration of statements, without the wait for a connection.',
  ),
  svc_database_wait_seconds: histogram(seconds, 'Time statements waited for a connection.'),
  svc_database_connections: gauge('Connections to PostgreSQL.', 'state'),
  svc_database_pool_size: gauge('Maximum connections to PostgreSQL.'),

  svc_events_published_total: counter('Events stored in the stream.'),
  svc_events_unpublished_seconds: gauge(
    'Age of the oldest event that is kept and not in the stream; 0 if there is none.',
  ),
  svc_outbox_unread_seconds: gauge(
    'Age of the oldest event that the service activity has not kept; 0 if there is none.',
  ),
  svc_activity_events_total: counter('Events kept, by the service that they come from.', 'source'),
  svc_webhook_attempts_total: counter(
    'Attempts to deliver webhooks: accepted, failed, or given up after the last one.',
    'outcome',
  ),
  svc_webhook_overdue_seconds: gauge(
    'For how long the webhook endpoint that has waited longest has been due; those that fail do not count.',
  ),
  svc_webhook_endpoints_failing: gauge('Webhook endpoints that accept nothing.'),
  svc_work_loop_rounds_total: counter('Rounds of background work.', 'loop', 'outcome'),
  svc_password_checks_waiting: gauge('Passwords waiting to be hashed.'),
  svc_stripe_requests_total: counter('Requests to Stripe, counting each attempt.', 'outcome'),
  svc_subscription_unread_seconds: gauge(
    'For how long Stripe was not read about a live subscription, the one that waits longest; 0 if there is none.',
  ),

  svc_agent_reconciles_total: counter('Reconciliations of a pool with its settings.', 'outcome'),
  svc_agent_last_success_seconds: gauge(
    'Unix time at which the least up-to-date pool last followed its settings.',
  ),
} as const satisfies Record<string, MetricRow>

export type MetricName = keyof typeof metricsTable

function counter<const L extends string[]>(help: string, ...labels: L) {
  return { type: 'counter', labels, help } as const
}

function gauge<const L extends string[]>(help: string, ...labels: L) {
  return { type: 'gauge', labels, help } as const
}

function histogram<const L extends string[]>(buckets: readonly number[], help: string, ...labels: L) {
  return { type: 'histogram', labels, help, buckets } as const
}
