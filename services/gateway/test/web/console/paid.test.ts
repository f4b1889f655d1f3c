import { createHash } from 'node:crypto'
import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { paidFields } from '../../../src/web/console/offers/new/paid-fields.ts'
import { orderText, periodText, type Provider } from '../../../src/web/kit/offers/terms-view.tsx'
import { press } from '../page-scene.ts'
import { expectAccessible } from '../accessibility.ts'
import type { Tab } from '../tab.ts'
import { type Catalogue, main, newCatalogue, pick, type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
let owner: Seat
let made: Catalogue
beforeAll(async () => {
  owner = await scene.newOwner()
  made = await newCatalogue(owner)
})

type Offer = {
  terms: Record<string, unknown>
  offer_channel_id: string | null
  policy_number: number | null
}

async function published({ send }: Seat, page: Tab) {
  const id = /offer_\w+/.exec(page.url())?.[0]
  if (!id) throw new Error(await main(page))
  return (await send('GET', `/offers/${id}`)) as unknown as Offer
}

async function answer(
  page: Tab,
  paid: string,
  { price, approves, how }: { price?: string; approves?: boolean; how?: string } = {},
) {
  await pick(page, paid)
  if (price) await page.getByLabel('Price').fill(price)
  if (how) await page.getByLabel('Payment instructions').fill(how)
  if (approves) await pick(page, 'Yes')
  return press(page, 'Publish offer')
}

const transfer = 'I collect it myself'
const outside = 'Collected outside this product; installs start at once'

test.each<[string, Parameters<typeof answer>[2], object, string | undefined]>([
  ['Free', {}, { checkout: 'none', approval: 'automatic', price: null }, undefined],
  ['Free', { approves: true }, { checkout: 'none', approval: 'manual' }, 'Free, approved by hand'],
  [
    transfer,
    { price: '29.90', how: 'To DE02' },
    { checkout: 'required', approval: 'automatic', payment_instructions: 'To DE02' },
    'Transfer',
  ],
  [
    transfer,
    { price: '29.90', approves: true },
    { checkout: 'required', approval: 'manual', payment_instructions: null },
    'Transfer, approved by hand',
  ],
  [outside, { price: '29.90' }, { checkout: 'none', approval: 'automatic' }, undefined],
  [
    outside,
    { price: '29.90', approves: true },
    { checkout: 'none', approval: 'manual' },
    'Collected elsewhere, approved by hand',
  ],
])(
  'an offer that is paid “%s” with %o has these terms, and says under which name',
  async (paid, more, terms, name) => {
    const page = await scene.plain(owner, `/offers/new?product_id=${made.product_id}`)
    await answer(page, paid, more)
    const offer = await published(owner, page)
    expect(offer.terms).toMatchObject({ commercial_mode: 'paid', ...terms })
    if (more?.price) expect(offer.terms.price).toMatchObject({ unit_amount: 2990, currency: 'eur' })
    if (name) expect(await main(page)).toContain(`Saved as terms “${name}”, which you can reuse.`)
    else expect(offer.offer_channel_id).toBeNull()
  },
)

test('terms that an offer can have at another price are reused, and other instructions make others', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const publish = async (price: string, how: string) => {
    const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
    await answer(page, transfer, { price, how })
    return { page, ...(await published(owner, page)) }
  }
  const first = await publish('29.90', 'To DE02')
  const second = await publish('1.00', 'To DE02')
  expect(second.offer_channel_id).toBe(first.offer_channel_id)
  expect(await main(second.page)).toContain('It has your saved terms “Transfer”.')
  const third = await publish('29.90', 'To FR76')
  expect(third.offer_channel_id).not.toBe(first.offer_channel_id)
  expect(await main(third.page)).toContain('Saved as terms “Transfer (2)”')
  // Terms that were changed, or take no offers, are not those that were asked for.
  await owner.send('PATCH', `/offer_channels/${first.offer_channel_id}`, { status: 'inactive' })
  const fourth = await publish('29.90', 'To DE02')
  expect(fourth.offer_channel_id).not.toBe(first.offer_channel_id)
  expect(fourth.terms).toEqual(first.terms)
})

test('a form that is sent again after a crash between its calls finishes what that began', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  // The channel was made, and its policy was not.
  const policy = {
    ...{ approval: 'automatic', checkout: 'required', support: null, grace_days: 7 },
    ...{ payment_instructions: 'To DE02', entitlements: {}, licence_days: 30 },
    ...{ allow_non_billable_test: false, default_commercial_mode: 'paid' },
  }
  const wanted = JSON.stringify([product_id, 'Transfer', policy, ''])
  const key = `terms-${createHash('sha256').update(wanted).digest('hex').slice(0, 40)}`
  const response = await fetch(`${scene.urls[0]}/v1/offer_channels`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      'svc-context': owner.workspace,
      authorization: `Bearer ${await scene.openSession(owner.person)}`,
    },
    body: JSON.stringify({ product_id, name: 'Transfer' }),
  })
  const { id } = (await response.json()) as { id: string }
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  await answer(page, transfer, { price: '29.90', how: 'To DE02' })
  expect(await published(owner, page)).toMatchObject({ offer_channel_id: id, policy_number: 1 })
})

test('forms of two tabs that ask for the same terms at once share them', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const tabs = await Promise.all(
    [1, 2, 3].map(() => scene.plain(owner, `/offers/new?product_id=${product_id}`)),
  )
  await Promise.all(tabs.map(page => answer(page, transfer, { price: '29.90' })))
  const made = await Promise.all(tabs.map(page => published(owner, page)))
  expect(new Set(made.map(({ offer_channel_id }) => offer_channel_id)).size).toBe(1)
})

const paidTerms: Parameters<typeof orderText>[0] = {
  ...{ approval: 'automatic', checkout: 'required', support: null, commercial_mode: 'paid' },
  ...{ entitlements: {}, licence_days: 30 },
  price: { currency: 'eur', unit_amount: 2990, interval: 'month' },
}
test.each<[Provider, Partial<typeof paidTerms>, string, RegExp]>([
  ['manual', {}, 'Order · pay by transfer', /^You pay the seller €29\.90 for one month,.* Nothing renews/],
  [
    'stripe',
    {},
    'Order · pay by card',
    /^A subscription with Stripe: €29\.90 when you pay, then every month/,
  ],
  ['stripe', { approval: 'manual' }, 'Request approval', /^A subscription/],
  ['manual', { checkout: 'none' }, 'Order', /^The seller collects €29\.90 per month outside this product/],
  ['manual', { price: null }, 'Order, free', /^undefined$/],
  ['manual', { commercial_mode: 'non_billable_test' }, 'Order · test, not charged', /^undefined$/],
])('with payments by %s and %o the button says “%s”', (provider, other, button, period) => {
  const terms = { ...paidTerms, ...other }
  expect(orderText(terms, provider)).toBe(button)
  expect(String(periodText(terms, provider))).toMatch(period)
})

test('“Card, by Stripe” is asked where Stripe takes payments, and nowhere else', () => {
  const asked = (provider: 'manual' | 'stripe') => paidFields(provider).paid.choices?.map(([one]) => one)
  expect(asked('stripe')).toEqual(['free', 'card', 'outside'])
  expect(asked('manual')).toEqual(['free', 'transfer', 'outside'])
})

test('an answer is asked for, and a price above zero unless it is free', async () => {
  const { product_id, version_id } = made
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  expect((await press(page, 'Publish offer')).status()).toBe(422)
  expect(await main(page)).toContain('Choose how you are paid.')
  for (const price of ['', '0']) expect((await answer(page, outside, { price })).status()).toBe(422)
  expect(await main(page)).toContain('Enter a price above zero, or choose “Free”.')
  const ofVersion = await scene.plain(owner, `/offers/new?package_version_id=${version_id}`)
  expect(await main(ofVersion)).not.toContain(transfer)
  await answer(ofVersion, 'Free')
  expect((await published(owner, ofVersion)).offer_channel_id).toBeNull()
})

test.each(everything ? ['/start', '/offers/new?product_id='] : ['/start'])(
  'in a browser %s asks only what the answer needs, and warns where instructions lack',
  async path => {
    const owner = await scene.newOwner()
    const { product_id } = await newCatalogue(owner)
    const options = { bypassCSP: true, viewport: { width: 390, height: 844 } }
    const address = path.endsWith('=') ? path + product_id : path
    const { page, complaints } = await scene.draw(owner, address, options)
    const price = page.getByLabel('Price')
    const warning = page.getByText('customers aren’t told how to pay')
    const isShown = async () => [await price.isVisible(), await warning.isVisible()]
    expect(await isShown()).toEqual([false, false])
    await pick(page, outside)
    expect(await isShown()).toEqual([true, false])
    await pick(page, transfer)
    expect(await isShown()).toEqual([true, true])
    await expectAccessible(page)
    await page.getByLabel('Payment instructions').fill('To DE02')
    expect(await isShown()).toEqual([true, false])
    await pick(page, 'Free')
    expect(await isShown()).toEqual([false, false])
    expect(complaints).toEqual([])
  },
)
