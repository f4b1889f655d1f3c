import {
  acme,
  at,
  channelOffer,
  channelOrder,
  customerCluster,
  globex,
  grace,
  install,
  product,
  version1,
  webOffer,
  webOrder,
} from '../openapi/example-names.ts'

export const freeTerms = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  commercial_mode: 'paid',
  price: null,
} as const
export const { payment_instructions: _, ...openTerms } = freeTerms
const partnerTerms = {
  approval: 'manual',
  checkout: 'required',
  support: 'Mail, within a day',
  payment_instructions: 'Transfer to DE02 1203 0000 0000 2020 51, Acme.\nQuestions: https://acme.example/pay',
  entitlements: { plan: 'partner', seats: 25 },
  licence_days: 30,
  grace_days: 7,
  commercial_mode: 'paid',
  price: { currency: 'eur', unit_amount: 9900, interval: 'month' },
} as const

/** An id, and the reference that the service derives from it. */
export const known = (id: string) => ({ id, reference: `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase() })

const summary = {
  ...known(webOrder),
  name: 'Acme Analytics',
  state: 'open',
  offer_id: webOffer.id,
  short_hash: webOffer.short_hash,
  product_id: product,
  package_version_id: version1,
  seller_workspace_id: acme,
  workspace_id: globex,
  ordered_by: grace,
  cluster_id: null,
  checkout: null,
  reason: null,
  install_id: null,
  expires_at: at(3000 + 7200),
  created_at: at(3000),
  updated_at: at(3000),
} as const
export const order = { ...summary, terms: freeTerms, field_values: null } as const
export const values = { region: 'eu', company: 'Globex' }
export const done = {
  ...summary,
  state: 'completed',
  cluster_id: customerCluster,
  install_id: install,
  updated_at: at(3120),
} as const

export const listed = {
  ...done,
  terms: { commercial_mode: 'paid', price: null },
  customer: null,
} as const

export const partnerOrder = {
  ...order,
  ...known(channelOrder),
  offer_id: channelOffer.id,
  short_hash: channelOffer.short_hash,
  terms: partnerTerms,
} as const
export const submitted = { ...partnerOrder, state: 'awaiting_approval', field_values: values } as const
export const approved = {
  ...submitted,
  state: 'awaiting_checkout',
  checkout: { provider: 'manual', refund: null },
} as const
