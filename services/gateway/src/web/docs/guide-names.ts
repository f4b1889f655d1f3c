export const guideGroups: Readonly<Record<string, readonly string[]>> = {
  Start: ['quickstart', 'selling', 'checkout', 'subscriptions', 'licences', 'console', 'cli', 'ci', 'client'],
  API: [
    'authentication',
    'account',
    'permissions',
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
