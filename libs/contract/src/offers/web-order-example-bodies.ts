import { openTerms } from './orders-example-bodies.ts'
import { webOffer } from '../openapi/example-names.ts'

export const byWeb = { params: { short_hash: webOffer.short_hash } }

export const summary = {
  seller: { name: 'Acme', support_email: 'help@acme.example' },
  state: 'active',
  seats_left: 1,
  terms: openTerms,
  expires_at: null,
} as const
