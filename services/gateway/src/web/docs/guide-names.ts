/** The guides, in the order of the navigation. Each is `src/docs/guides/<name>.md`, and the page `/docs/<name>`. */
export const guideGroups: Readonly<Record<string, readonly string[]>> = {
  Start: ['quickstart', 'selling', 'checkout', 'console', 'cli', 'client'],
  API: [
    'authentication',
    'workspaces',
    'idempotency',
    'concurrency-control',
    'errors',
    'limits',
    'events',
    'webhooks',
  ],
}

export const guideNames = Object.values(guideGroups).flat()
