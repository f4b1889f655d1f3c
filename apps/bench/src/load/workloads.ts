/** What is asked of every variant: the same requests, byte for byte. */

export type Kind = 'product' | 'version' | 'channel' | 'fields' | 'tokens' | 'settings' | 'installs'

const offer = 'product'
const list = 'tokens'

/** The kinds of request that are repeated in this order. */
const sequences = {
  product: ['product'],
  version: ['version'],
  channel: ['channel'],
  fields: ['fields'],
  tokens: ['tokens'],
  settings: ['settings'],
  installs: ['installs'],
  mix: [offer, offer, list, offer, offer, list, offer, offer, list, offer],
} as const satisfies Record<string, readonly Kind[]>

export type Workload = keyof typeof sequences

export const workloadNames = Object.keys(sequences) as Workload[]

/** What each workload is, in words. */
export const workloadLabels: Record<Workload, string> = {
  product: 'POST /offers: product_id, a new Idempotency-Key each',
  version: 'POST /offers: package_version_id, no key',
  channel: 'POST /offers: product_id and offer_channel_id, with key',
  fields: 'POST /offers: product_id and two field_values, with key',
  tokens: 'GET /api_tokens',
  settings: 'PATCH /clusters/{id}/compute_settings',
  installs: 'GET /installs',
  mix: '70 % POST /offers (product), 30 % GET /api_tokens',
}

export const kindsOf = (workload: Workload): readonly Kind[] => sequences[workload]

/** What the database holds for the load. */
export interface Seed {
  readonly token: string
  /** Another token of the same workspace, with the permissions that the load needs. */
  readonly restricted_token: string
  /** A session of the workspace's owner, who may create and revoke API tokens. */
  readonly owner_session: string
  readonly workspace_id: string
  readonly product_id: string
  readonly package_version_id: string
  readonly offer_channel_id: string
}

/** What a PATCH changes. */
export interface Cluster {
  readonly id: string
  etag: string
  max_machines: number
}

/** A kind of request as HTTP. */
export interface RequestForm {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** The status of success. */
  readonly status: number
  /** Whether each request carries a fresh Idempotency-Key. */
  readonly key: boolean
  readonly body?: string
}

/** @param cluster of `settings` */
export function requestForm(kind: Kind, seed: Seed, cluster?: Cluster): RequestForm {
  const { product_id, package_version_id, offer_channel_id } = seed
  switch (kind) {
    case 'product':
      return post(kind, { product_id })
    case 'version':
      return post(kind, { package_version_id })
    case 'channel':
      return post(kind, { product_id, offer_channel_id })
    case 'fields':
      return post(kind, { product_id, field_values })
    case 'tokens':
      return { method: 'GET', path: '/v1/api_tokens', status: 200, key: false }
    case 'installs':
      return { method: 'GET', path: '/v1/installs', status: 200, key: false }
    case 'settings':
      return {
        method: 'PATCH',
        path: `/v1/clusters/${cluster?.id}/compute_settings`,
        status: 200,
        key: false,
        body: `{"auto_scaling_enabled":true,"max_machines":${cluster?.max_machines}}`,
      }
  }
}

/** Whether requests of this kind write an offer. */
export const createsOffer = (kind: Kind): boolean => !['tokens', 'settings', 'installs'].includes(kind)

/** Whether they carry a key. */
export const usesKey = (kind: Kind): boolean => createsOffer(kind) && kind !== 'version'

const post = (kind: Kind, reference: object): RequestForm => ({
  method: 'POST',
  path: '/v1/offers',
  status: 201,
  key: usesKey(kind),
  body: JSON.stringify({ ...reference, ...terms }),
})

const terms = {
  allowed_emails: ['buyer@example.com', 'second.buyer@example.com'],
  customer: { display_name: 'Example Customer Ltd.', external_id: 'crm-000123' },
  internal_note:
    'Agreed by telephone with purchasing; the order form follows by post. Discount approved, renewals at list price.',
  commercial_mode: 'paid',
  pricing_request: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  notes:
    'Thank you for your interest. Your price is valid for thirty days; please get in touch with questions at any time.',
  max_uses: 5,
  order_ttl_minutes: 60,
}

const field_values = { region: { value: 'eu', locked: true }, seats: { value: 25, locked: false } }
