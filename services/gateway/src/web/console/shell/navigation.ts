import { activity } from '@svc/contract/activity/activity'
import type { Operation } from '@svc/contract/core/operation'
import type { IconName } from '../../kit/ui/icons.ts'

export interface Part {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  readonly needs?: Operation
}

export const parts = [
  [
    { path: '', label: 'Home', icon: 'house' },
    { path: '/offers', label: 'Offers', icon: 'tag' },
    { path: '/orders', label: 'Orders', icon: 'cart' },
    { path: '/customers', label: 'Customers', icon: 'user' },
    { path: '/installs', label: 'Installs', icon: 'boxes' },
    { path: '/catalogue', label: 'Catalogue', icon: 'book' },
  ],
  [
    { path: '/clusters', label: 'Clusters', icon: 'server' },
    { path: '/tokens', label: 'API tokens', icon: 'key' },
    {
      path: '/webhooks',
      label: 'Webhooks',
      icon: 'webhook',
      needs: activity.operations.list_webhook_endpoints,
    },
    { path: '/activity', label: 'Activity', icon: 'activity' },
  ],
  [
    { path: '/members', label: 'Members', icon: 'users' },
    { path: '/settings', label: 'Settings', icon: 'settings' },
  ],
] as const satisfies readonly (readonly Part[])[]

export type PartPath = (typeof parts)[number][number]['path']
