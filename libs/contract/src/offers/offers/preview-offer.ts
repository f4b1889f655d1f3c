import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { offerInput, offerVariant } from '../offer-input.ts'
import { refusedValue } from '../offers-example-bodies.ts'
import { offer } from '../published-offers.ts'
import { freeTerms } from '../orders-example-bodies.ts'
import { product, version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import { reference as createReference } from './create-offer.ts'

export const operation = {
  summary: 'Preview an offer: version, terms and warnings of a body',
  http: { method: 'POST', path: '/offers/preview', status: 200 },
  access: workspaceMember,
  permission: 'offers:write',
  body: offerInput,
  variant: offerVariant,
  output: offer
    .pick({ package_version_id: true, policy_number: true, terms: true, warnings: true })
    .meta({ id: 'OfferPreview' }),
  errors: ['Unprocessable'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  // Takes the options of `offers create`.
  command: { name: 'offers preview', own: true },
  page: { reason: 'For programs: the form of a new offer shows what its policy says.' },
  group: 'Offers',
  description:
    'Takes the body of `POST /offers` and refuses what that would refuse, but creates nothing. `terms` are those of the channel’s active policy at this moment: another policy, or another current version, changes what is created later.',
  codes: createReference().codes?.filter(code => !/^(key|reservation)_/.test(code)) ?? [],
  examples: [
    {
      step: 592,
      summary: 'What the offer would be',
      by: 'script',
      request: { body: { product_id: product, order_ttl_minutes: 30 } },
      answer: {
        body: { package_version_id: version1, policy_number: null, terms: freeTerms, warnings: [] },
      },
    },
    {
      step: 594,
      summary: 'A value that the input schema does not allow',
      by: 'script',
      ...refusedValue,
    },
  ],
})
