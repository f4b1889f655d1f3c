/** The guides, in the order of the navigation. Each is `src/docs/<name>.md`, and the page `/docs/<name>`. */
export const guideNames = [
  'quickstart',
  'selling',
  'checkout',
  'cli',
  'client',
  'authentication',
  'workspaces',
  'idempotency',
  'concurrency-control',
  'errors',
  'limits',
  'events',
  'webhooks',
] as const
