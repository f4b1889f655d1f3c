import type { ChannelPolicy } from './channel-policy.ts'
import { analytics, at, channel, product, version1 } from '../openapi/example-names.ts'

export const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['eu', 'us'] },
    company: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['region', 'company'],
}

export const instructionsText = [
  'Sign in to the reports of **{{ field.company }}**, and start the program:',
  '',
  '```sh',
  'reports start --region {{ field.region }} --install {{ install.id }}',
  '```',
].join('\n')

export const thePackage = { id: analytics, name: 'Analytics', created_at: at(1000) }
export const theVersion = { id: version1, package_id: analytics, version: '1.0.0', created_at: at(1060) }
export const ofPackage = { params: { id: analytics } }

export const theProduct = {
  id: product,
  name: 'Acme Analytics',
  package_id: analytics,
  current_package_version_id: version1,
  created_at: at(1200),
}

export const policy = {
  approval: 'manual',
  checkout: 'required',
  support: 'Mail, within a day',
  payment_instructions: 'Transfer to DE02 1203 0000 0000 2020 51, Acme.\nQuestions: https://acme.example/pay',
  entitlements: { plan: 'partner', seats: 25 },
  licence_days: 30,
  grace_days: 7,
  pricing: {
    kind: 'range',
    currencies: ['eur'],
    intervals: ['month'],
    min_unit_amount: 1000,
    max_unit_amount: 50_000,
    default_price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  },
  allow_non_billable_test: false,
  default_commercial_mode: 'paid',
} as const satisfies ChannelPolicy

export const theChannel = {
  id: channel,
  product_id: product,
  name: 'Partners',
  status: 'active',
  active_policy: 1,
  created_at: at(1300),
} as const
export const ofChannel = { params: { id: channel } }
export const thePolicy = { offer_channel_id: channel, number: 1, active: true, policy, created_at: at(1360) }
