/** Finds or makes the terms that the answers ask for: a channel of the product and its policy. */
import { createHash } from 'node:crypto'
import { type Price, refusedFields } from '@svc/contract/offers/channel-policy'
import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import type { Scene } from '../../shell/scene.ts'
import { readActivePolicy } from '../../catalogue/read-policies.ts'
import type { Names } from '../names.ts'
import type { Answers, Payment } from './paid-fields.ts'

type Channel = Names['channels'][number]

export interface Terms {
  readonly id: string
  readonly isNew: boolean
}

interface Wanted {
  readonly product_id: string
  readonly answers: Answers
  readonly price: Price | undefined
  readonly channels: readonly Channel[]
  /** The form’s. */
  readonly key: string
}

export const needsTerms = ({ paid, approval }: Answers): boolean =>
  paid === 'transfer' || paid === 'card' || approval === 'manual'

export async function ownTerms(scene: Scene, wanted: Wanted): Promise<Terms> {
  const { product_id, answers, price } = wanted
  const policy = policyOf(answers, price)
  const isLike = (found: ChannelPolicy | undefined) => found !== undefined && isAlike(found, policy, price)
  const complete = wanted.channels.filter(
    one => one.product_id === product_id && one.status === 'active' && one.active_policy !== null,
  )
  const base = nameOf(answers)
  const found = await Promise.all(
    nearest(complete, base).map(async one => ({
      ...one,
      policy: (await readActivePolicy(scene, one))?.policy,
    })),
  )
  // The oldest: the same one when the form is sent again.
  const same = found.findLast(one => isLike(one.policy))
  if (same) return { id: same.id, isNew: false }
  const name = unusedName(base, complete)
  // From what is wanted, so that two forms at once make one; from the form where those have been changed since.
  for (const seed of ['', wanted.key]) {
    const { id } = await createTerms(scene, { product_id, name, seed, policy })
    const channel = await scene.invoke(offers, 'get_offer_channel', { params: { id } })
    const active = await readActivePolicy(scene, channel)
    if (active && (channel.status !== 'active' || !isLike(active.policy))) continue
    if (!active) {
      const body = { policy, activate: true }
      await scene.invoke(offers, 'create_channel_policy', { params: { id }, body })
    }
    return { id, isNew: true }
  }
  throw new Error('A channel that only this form could make has other terms')
}

function createTerms(
  { invoke }: Scene,
  {
    product_id,
    name,
    seed,
    policy,
  }: Record<'product_id' | 'name' | 'seed', string> & { policy: ChannelPolicy },
) {
  const { pricing: _, ...rest } = policy
  const hash = createHash('sha256').update(JSON.stringify([product_id, name, rest, seed]))
  const headers = { 'idempotency-key': `terms-${hash.digest('hex').slice(0, 40)}` }
  return invoke(offers, 'create_offer_channel', { headers, body: { product_id, name } as never })
}

const names: Readonly<Record<Payment, string>> = {
  free: 'Free',
  transfer: 'Transfer',
  card: 'Card',
  outside: 'Collected elsewhere',
}

const nameOf = ({ paid, approval }: Answers): string =>
  approval === 'manual' ? `${names[paid]}, approved by hand` : names[paid]

function unusedName(base: string, channels: readonly Channel[]): string {
  const used = new Set(channels.map(({ name }) => name))
  let name = base
  for (let n = 2; used.has(name); n++) name = `${base} (${n})`
  return name
}

/** Each costs a call of the bus. */
const maxCompared = 10

const nearest = (channels: readonly Channel[], base: string) =>
  [true, false]
    .flatMap(isNamed => channels.filter(({ name }) => name.startsWith(base) === isNamed))
    .slice(0, maxCompared)

const policyOf = (
  { paid, approval, payment_instructions }: Answers,
  price: Price | undefined,
): ChannelPolicy => ({
  approval,
  checkout: paid === 'transfer' || paid === 'card' ? 'required' : 'none',
  support: null,
  grace_days: 7,
  payment_instructions: payment_instructions ?? null,
  entitlements: {},
  licence_days: 30,
  pricing: price
    ? {
        kind: 'range',
        currencies: ['eur', 'usd'],
        intervals: ['month', 'year'],
        min_unit_amount: 1,
        max_unit_amount: 100_000_000,
        default_price: price,
      }
    : { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 0 },
  allow_non_billable_test: false,
  default_commercial_mode: 'paid',
})

/** Whether an offer of this price gets the same terms. */
const isAlike = (found: ChannelPolicy, wanted: ChannelPolicy, price: Price | undefined): boolean =>
  (
    [
      'approval',
      'checkout',
      'support',
      'payment_instructions',
      'licence_days',
      'default_commercial_mode',
    ] as const
  ).every(name => found[name] === wanted[name]) &&
  Object.keys(found.entitlements).length === 0 &&
  (price
    ? refusedFields(price, found.pricing).length === 0
    : found.pricing.kind === 'fixed' && found.pricing.unit_amount === 0)
