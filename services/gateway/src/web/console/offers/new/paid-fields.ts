/** "How are you paid?" and "Do you approve each order?": the answers decide the terms (docs/specification.md, R77). */
import { offers } from '@svc/contract/offers/offers'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import * as z from 'zod'
import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import { formField } from '../../../kit/forms/schema-fields.ts'
import type { Provider } from '../../../kit/offers/terms-view.tsx'
import type { Scene } from '../../shell/scene.ts'
import { amountField, currencyField, intervalField } from './offer-fields.ts'

export type Payment = 'free' | 'transfer' | 'card' | 'outside'

export interface Answers {
  readonly paid: Payment
  readonly approval: ChannelPolicy['approval']
  readonly payment_instructions?: string
}

export const readProvider = async ({ invoke }: Scene): Promise<Provider> =>
  (await invoke(offers, 'read_checkout_provider')).provider

const { create_channel_policy } = offers.operations
const choices: Readonly<Record<Payment, readonly [label: string, hint: string]>> = {
  free: ['Free', 'Nothing is paid.'],
  transfer: [
    'I collect it myself',
    'By transfer or invoice. An install starts when you confirm the payment.',
  ],
  card: ['Card, by Stripe', 'A subscription. An install starts when Stripe has the first payment.'],
  outside: [
    'Collected outside this product; installs start at once',
    'Customers see the price, and nobody here waits for it.',
  ],
}

const priced = { when: ['paid', ['transfer', 'card', 'outside']] } as const

export interface PaidFields {
  readonly paid: FieldSpec
  readonly price: readonly FieldSpec[]
  readonly instructions: FieldSpec
  readonly approval: FieldSpec
  /** The same for programs, which name terms themselves. */
  readonly lines: readonly FieldSpec[]
}

/** @param canHaveTerms whether there is, or will be, a product: terms are a product's */
export function paidFields(provider: Provider, canHaveTerms = true): PaidFields {
  const collected: Payment = provider === 'stripe' ? 'card' : 'transfer'
  const possible: Payment[] = canHaveTerms ? ['free', collected, 'outside'] : ['free', 'outside']
  const price = [
    { ...amountField, ...priced, placeholder: '49.00', isOptional: false },
    ...[currencyField, intervalField].map(({ onlyWith: _, ...field }) => ({
      ...{ ...field, ...priced },
      isOptional: false,
    })),
  ]
  const asked = { label: 'Terms', at: 'offer_channel_id', flag: '--channel', sends: 'FILL_IN' }
  return {
    paid: {
      ...{ name: 'paid', at: 'policy.paid', label: 'How are you paid?', kind: 'radio' },
      choices: possible.map(one => [one, ...choices[one]] as const),
      schema: z.enum(possible),
      otherwise: () => 'Choose how you are paid.',
    },
    price: price.map(field => (field.kind === 'money' ? { ...field, ...aboveZero } : field)),
    instructions: formField(create_channel_policy, {
      ...{ name: 'payment_instructions', at: 'policy.payment_instructions', label: 'Payment instructions' },
      ...{ kind: 'textarea', rows: 3, when: ['paid', ['transfer']], isOptional: true },
      placeholder: 'Transfer the amount to IBAN … and name the reference of your order.',
      hint: 'Shown after ordering and mailed, with the amount and a reference.',
    }),
    approval: {
      ...{ name: 'approval', at: 'policy.approval', label: 'Do you approve each order?', kind: 'radio' },
      choices: [
        ['automatic', 'No'],
        ...(canHaveTerms ? [['manual', 'Yes', 'Each order waits until you approve it.'] as const] : []),
      ],
    },
    lines: [
      ...price,
      { ...asked, name: 'paid', when: ['paid', ['transfer', 'card']] },
      { ...asked, name: 'approval', when: ['approval', ['manual']] },
    ],
  }
}

const aboveZero = {
  schema: z.int().min(1),
  otherwise: () => 'Enter a price above zero, or choose “Free”.',
}

export const sentOf = ({ paid, price, instructions, approval }: PaidFields): readonly FieldSpec[] => [
  paid,
  ...price,
  instructions,
  approval,
]
