/** The pages of the console in the states in which a member can see them. */
import { press } from '../page-scene.ts'
import { pick } from './console-scene.ts'
import type { Tab } from '../tab.ts'
import type { Filled } from './one-of-each.ts'

export interface ConsoleState {
  readonly name: string
  readonly title: string
  readonly as?: 'admin' | 'member'
  /** Below the workspace's root. */
  path(ids: Filled['ids']): string
  /** What is done there. */
  readonly then?: (page: Tab) => Promise<unknown>
}

const at = (name: string, title: string, path: ConsoleState['path'], then?: ConsoleState['then']) => ({
  ...{ name, title, path },
  ...(then && { then }),
})
const sent = (button: string) => (page: Tab) => press(page, button)

export const consoleStates: readonly ConsoleState[] = [
  at('home', 'Home', () => ''),
  { ...at('home of a member', 'Home', () => ''), as: 'member' },
  at('first offer, done', 'Publish your first offer', () => '/start'),
  at('components', 'Components', () => '/components'),
  at('search', 'Search', () => '/search?q=fast'),
  at('search, nothing', 'Search', () => '/search?q=no%20id'),
  at('not found', 'Not found', () => '/offers/offer_nope'),
  { ...at('not allowed', 'Not allowed', () => '/tokens/new'), as: 'member' },
  at('offers', 'Offers', () => '/offers'),
  at('offers, none like this', 'Offers', () => '/offers?state=expired'),
  at('offer', 'Fast Queues', ({ offer }) => `/offers/${offer}`),
  at('offer, edit', 'Edit offer', ({ offer }) => `/offers/${offer}/edit`),
  at('offer, question', 'Revoke this offer?', ({ offer }) => `/offers/${offer}/revoke`),
  at('new offer, choice', 'New offer', () => '/offers/new'),
  at(
    'new offer',
    'New offer',
    ids => `/offers/new?product_id=${ids.product}&offer_channel_id=${ids.channel}`,
  ),
  at('new offer, like another', 'New offer', ({ offer }) => `/offers/new?from=${offer}`),
  at(
    'new offer, refused',
    'Error: New offer',
    ids => `/offers/new?product_id=${ids.product}`,
    async page => {
      await page.getByLabel('Number of orders (optional)').first().fill('0')
      await press(page, 'Publish offer')
    },
  ),
  at('orders', 'Orders', () => '/orders'),
  at('orders placed', 'Orders', ({ offer }) => `/orders?relation=placed&offer_id=${offer}`),
  at('orders, none like this', 'Orders', () => '/orders?text=nobody&from=2026-01-31'),
  at('customers', 'Customers', () => '/customers'),
  at('installs', 'Installs', () => '/installs'),
  at('install', 'Install', ({ install }) => `/installs/${install}`),
  at('install, question', 'Mark this install as removed?', ({ install }) => `/installs/${install}/remove`),
  at('installs, overdue', 'Installs', () => '/installs?relation=sold&subscription=overdue'),
  at('install, paid', 'Install', ({ paid }) => `/installs/${paid}`),
  at('install, past due', 'Install', ({ pastDue }) => `/installs/${pastDue}`),
  at('install, lapsed', 'Install', ({ lapsed }) => `/installs/${lapsed}/licence`),
  at('install, cancelled', 'Install', ({ cancelled }) => `/installs/${cancelled}`),
  at('install, paid by card', 'Install', ({ card }) => `/installs/${card}`),
  at('subscription, payment', 'Confirm the payment', ({ paid }) => `/installs/${paid}/confirm-payment`),
  at('subscription, end', 'Cancel this', ({ paid }) => `/installs/${paid}/cancel-subscription`),
  at('subscription, go on', 'Resume this', ({ cancelled }) => `/installs/${cancelled}/resume-subscription`),
  at('subscription, at Stripe', 'Payment method', ({ card }) => `/installs/${card}/billing-portal`),
  at('products', 'Catalogue', () => '/catalogue'),
  at('packages', 'Catalogue', () => '/catalogue?kind=packages'),
  at('terms', 'Catalogue', () => '/catalogue?kind=channels'),
  at('package, question', 'Delete', ids => `/catalogue/packages/${ids.package}/delete`),
  at(
    'new version, refused',
    'Error: New version',
    ids => `/catalogue/packages/${ids.package}/versions/new`,
    sent('Publish version'),
  ),
  at('product', 'Fast Queues', ids => `/catalogue/products/${ids.product}`),
  at('new product, refused', 'Error: New product', () => '/catalogue/products/new', sent('Create product')),
  at('terms of a product', 'Web', ids => `/catalogue/channels/${ids.channel}`),
  at('revision of terms', 'Revision 2', ids => `/catalogue/channels/${ids.channel}/policies/2`),
  at(
    'new revision of terms',
    'New revision of Web',
    ids => `/catalogue/channels/${ids.channel}/policies/new`,
  ),
  at('clusters', 'Clusters', () => '/clusters'),
  at('cluster', 'production', ({ cluster }) => `/clusters/${cluster}`),
  at('cluster, settings', 'Compute settings', ({ cluster }) => `/clusters/${cluster}/settings`),
  at('cluster, secret', 'Rotate agent secret', ({ cluster }) => `/clusters/${cluster}/agent-secret`),
  at(
    'cluster, new secret',
    'Agent secret',
    ({ cluster }) => `/clusters/${cluster}/agent-secret`,
    sent('Create secret'),
  ),
  at(
    'cluster, deletion refused',
    'Error: Delete “production”?',
    ({ cluster }) => `/clusters/${cluster}/delete`,
    sent('Delete cluster'),
  ),
  at('tokens', 'API tokens', () => '/tokens'),
  { ...at('tokens of a member', 'API tokens', () => '/tokens'), as: 'member' },
  at('new token', 'New API token', () => '/tokens/new'),
  at(
    'token made',
    'Token created: deploy',
    () => '/tokens/new',
    async page => {
      await page.getByLabel('Name').fill('deploy')
      await pick(page, 'All that a member may')
      await press(page, 'Create token')
    },
  ),
  at('new token, refused', 'Error: New API token', () => '/tokens/new', sent('Create token')),
  at('token', 'API token', ({ token }) => `/tokens/${token}`),
  { ...at('token of a member', 'API token', ({ token }) => `/tokens/${token}`), as: 'member' },
  at('token, edit', 'Edit API token', ({ token }) => `/tokens/${token}/edit`),
  at('token, rotation', 'Rotate “ci”', ({ token }) => `/tokens/${token}/rotate`),
  at('token, question', 'Revoke “ci”?', ({ token }) => `/tokens/${token}/revoke`),
  at('CI trusts', 'CI trusts', () => '/tokens/ci'),
  at('CI trust, by a run', 'Trust runs of acme/shop', ({ attempt }) => `/tokens/ci/new?attempt=${attempt}`),
  at('new CI trust, refused', 'Error: New CI trust', () => '/tokens/ci/new', sent('Create trust')),
  at('CI trust, question', 'Delete “Release”?', ({ trust }) => `/tokens/ci/${trust}/delete`),
  at('webhooks', 'Webhooks', () => '/webhooks'),
  at('new endpoint, refused', 'Error: Add webhook endpoint', () => '/webhooks/new', sent('Add endpoint')),
  at('endpoint', 'Webhook endpoint', ({ endpoint }) => `/webhooks/${endpoint}`),
  at(
    'delivery',
    'Delivery of webhook_endpoints.test',
    ids => `/webhooks/${ids.endpoint}/deliveries/${ids.delivery}`,
  ),
  at('activity', 'Activity', () => '/activity'),
  at('audit log', 'Audit log', () => '/activity/audit-log'),
  at('event', 'Order completed', ({ event }) => `/activity/${event}`),
  at('members', 'Members', () => '/members'),
  at('invite, refused', 'Error: Invite a member', () => '/members/invite', sent('Send invitation')),
  { ...at('members, as a member', 'Members', () => '/members'), as: 'member' },
  at(
    'invitation, question',
    'Revoke the invitation',
    ({ invitation }) => `/members/invitations/${invitation}/revoke`,
  ),
  at('settings', 'Settings', () => '/settings'),
  at('licence keys', 'Licence keys', () => '/settings/licence-keys'),
  at('licence keys, rotate', 'Sign licences', () => '/settings/licence-keys/rotate'),
  at('settings, delete', 'Delete', () => '/settings/delete'),
  { ...at('settings of a member', 'Settings', () => '/settings'), as: 'member' },
]
