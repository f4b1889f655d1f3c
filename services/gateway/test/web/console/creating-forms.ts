/** The forms of the console that create something by itself. */
import { newJob } from '@svc/testing/ci-runs'
import type { Catalogue } from './console-scene.ts'

const { trust } = newJob()

interface Creating {
  readonly path: string | ((made: Catalogue) => string)
  readonly table: string
  readonly fields: (made: Catalogue) => Record<string, string>
  readonly hasSecret?: true
  /** Another field than the name, which has another value when it is sent again. */
  readonly changed?: string
}

export const creating: Record<string, Creating> = {
  'an API token': {
    path: '/tokens/new',
    table: 'auth_tokens.api_tokens',
    fields: () => ({ name: 'ci', may: 'all', expires_at: '' }),
    hasSecret: true,
  },
  'a CI trust': {
    path: '/tokens/ci/new',
    table: 'auth_tokens.ci_trusts',
    fields: () => ({
      name: 'ci',
      issuer: trust.issuer,
      claims: JSON.stringify(trust.claims),
      'permissions.offers:read': 'on',
      minutes: '15',
    }),
  },
  'a webhook endpoint': {
    path: '/webhooks/new',
    table: 'activity.webhook_endpoints',
    fields: () => ({ url: 'https://example.com/hook', 'event_types.offers.*': 'on', description: '' }),
    hasSecret: true,
    changed: 'description',
  },
  'a cluster': { path: '/clusters/new', table: 'compute.clusters', fields: () => ({ name: 'eu' }) },
  'a package': {
    path: '/catalogue/packages/new',
    table: 'offers.packages',
    fields: () => ({ name: 'Engine' }),
  },
  'a product': {
    path: '/catalogue/products/new',
    table: 'offers.products',
    fields: ({ package_id }) => ({ name: 'Engine', package_id }),
  },
  'a channel': {
    path: '/catalogue/channels/new',
    table: 'offers.offer_channels',
    fields: ({ product_id }) => ({ name: 'Web', status: 'active', product_id }),
  },
  'an offer': {
    path: ({ product_id }) => `/offers/new?product_id=${product_id}`,
    table: 'offers.offers',
    fields: () => ({ order_ttl_minutes: '120', max_uses: '1', paid: 'free', approval: 'automatic' }),
    changed: 'notes',
  },
}
