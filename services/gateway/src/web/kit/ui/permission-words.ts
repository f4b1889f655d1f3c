import { type Permission, permissions, reading } from '@svc/contract/core/permissions'

/** For people who do not know the API. */
export const permissionWords: Record<Permission, string> = {
  'catalogue:read': 'See products, packages and terms',
  'catalogue:write': 'Change products, packages and terms',
  'offers:read': 'See offers',
  'offers:write': 'Publish, correct and revoke offers',
  'orders:read': 'See orders and customers',
  'orders:write': 'Place, submit and cancel orders',
  'installs:read': 'See installs',
  'installs:write': 'Remove installs and make their credentials',
  'clusters:read': 'See clusters',
  'clusters:write': 'Change clusters and make secrets for their agents',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Change webhooks and send deliveries again',
  'api_tokens:read': 'See API tokens',
  'api_tokens:write': 'Create, change and revoke API tokens',
  'members:read': 'See members and invitations',
  'members:write': 'Invite and remove people and change roles',
  'workspace:read': 'See the workspace and search in it',
  'workspace:write': 'Change or delete the workspace',
  'events:read': 'See activity',
  'limits:read': 'See limits',
  'audit_log:read': 'See the audit log',
  'policies:activate': 'Decide which terms are in force',
  'orders:decide': 'Approve and reject orders and confirm payments',
  'clusters:settings': 'Change how clusters scale',
}

/** Whether these are all that read, and no more. */
export const readsAll = (named: readonly Permission[]): boolean =>
  named.length === reading(permissions).length && named.length === reading(named).length

/** In one line. */
export function summaryOf(granted: readonly string[] | null): string {
  if (granted === null) return 'everything you can do'
  const named = permissions.filter(name => granted.includes(name))
  if (named.length === permissions.length) return 'everything you can do in it'
  if (readsAll(named)) return 'read only'
  return named.map(name => permissionWords[name]).join('; ')
}
