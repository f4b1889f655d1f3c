/** What is created with an Idempotency-Key, for creation-keys.test.ts. */
import type { QuotaName } from '@svc/contract/core/quotas'
import { presets } from '@svc/contract/core/permissions'
import { newId } from '@svc/runtime/id'
import { newJob } from '@svc/testing/ci-runs'

const { trust } = newJob()

export interface Kind {
  readonly path: string
  readonly event: string
  /** Undefined: its limit is one of attempts. */
  readonly quota?: QuotaName
  readonly hasSecret?: true
  /** Also what it is a repetition of. */
  readonly body: object
  readonly same?: object
  readonly refused: readonly [body: object, status: number]
}

/** What the others refer to. */
export interface Catalogue {
  readonly package_id: string
  readonly product_id: string
}

type Name =
  | 'create_api_token'
  | 'create_ci_trust'
  | 'create_webhook_endpoint'
  | 'create_cluster'
  | 'create_package'
  | 'create_product'
  | 'create_offer_channel'
  | 'create_workspace'

type KindOf = (made: Catalogue) => Kind

export const kinds: Readonly<Record<Name, KindOf>> = {
  create_api_token: () => ({
    path: '/api_tokens',
    event: 'api_tokens.created',
    quota: 'api_tokens',
    hasSecret: true,
    body: { name: 'ci' },
    same: { ends_with_creator: false, name: 'ci' },
    refused: [{ name: 'ci', expires_at: 1 }, 422],
  }),
  create_ci_trust: () => ({
    path: '/ci_trusts',
    event: 'ci_trusts.created',
    quota: 'ci_trusts',
    body: trust,
    same: { ...trust, minutes: 15, permissions: presets.ci },
    refused: [{ ...trust, claims: { repository_id: '1' } }, 422],
  }),
  create_webhook_endpoint: () => ({
    path: '/webhook_endpoints',
    event: 'webhook_endpoints.created',
    quota: 'webhook_endpoints',
    hasSecret: true,
    body: { url: 'https://example.com/', event_types: ['offers.*', 'orders.*'] },
    same: { description: '', event_types: ['orders.*', 'offers.*', 'offers.*'], url: 'https://example.com/' },
    refused: [{ url: 'https://10.0.0.1/', event_types: ['offers.*'] }, 422],
  }),
  create_cluster: () => ({
    path: '/clusters',
    event: 'clusters.created',
    quota: 'clusters',
    body: { name: 'eu' },
    refused: [{ name: '' }, 400],
  }),
  create_package: () => ({
    path: '/packages',
    event: 'packages.created',
    quota: 'packages',
    body: { name: 'engine' },
    refused: [{ name: '' }, 400],
  }),
  create_product: ({ package_id }) => ({
    path: '/products',
    event: 'products.created',
    quota: 'products',
    body: { name: 'engine', package_id },
    same: { current_package_version_id: null, package_id, name: 'engine' },
    refused: [{ name: 'engine', package_id: newId('pkg') }, 422],
  }),
  create_offer_channel: ({ product_id }) => ({
    path: '/offer_channels',
    event: 'offer_channels.created',
    quota: 'offer_channels',
    body: { name: 'web', product_id },
    same: { status: 'active', product_id, name: 'web' },
    refused: [{ name: 'web', product_id: newId('prod') }, 422],
  }),
  create_workspace: () => ({
    path: '/workspaces',
    event: 'members.added',
    body: { name: 'Second' },
    refused: [{ name: '' }, 400],
  }),
}
