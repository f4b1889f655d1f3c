// docs/specification.md, R78: what is found by the beginnings of its words, by whom, and by how much work.
import { newId } from '@svc/runtime/id'
import { wordsOf } from '@svc/contract/core/words'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { newCustomer, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

interface Found {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly detail: string | null
}

async function search(text: string, workspace = running.seller) {
  const { body } = await running.ask(
    'list_matches',
    { kind: 'internal', id: 'auth-tokens', workspace },
    { body: { words: wordsOf(text) } },
  )
  return body as unknown as { data: Found[]; more: string[] }
}
const idsOf = async (text: string, workspace?: string) =>
  (await search(text, workspace)).data.map(({ id }) => id)

async function rename(id: string, name: string) {
  const { status } = await running.ask('update_product', running.internal, { params: { id }, body: { name } })
  expect(status).toBe(200)
}

describe('an offer is found', () => {
  test.each([
    ['by a word of the customer', 'kolář'],
    ['by its beginning', 'kol'],
    ['without accents and in capitals', 'KOLAR'],
    ['in the spelling of macOS', 'Kolář'.normalize('NFD')],
    ['by two words in another order', 'strojír kolář'],
    ['by the customer’s own id', 'CRM-77'],
    ['by the note for customers', 'velcome'],
    ['by the internal note', 'rabatt'],
  ])('%s', async (_, text) => {
    const { id } = await running.newOffer({
      customer: { display_name: 'Kolář Strojírny s.r.o.', external_id: 'crm-77' },
      notes: 'Velcome, “friend”.',
      internal_note: "10 % Rabatt: '\\",
    })
    expect((await search(text)).data).toContainEqual({
      ...{ kind: 'offer', id, name: expect.any(String), detail: 'Kolář Strojírny s.r.o.' },
    })
    expect(await idsOf(text, newId('ws'))).toEqual([])
  })

  test('not by the middle of a word, or if one of two words is missing', async () => {
    const { id } = await running.newOffer({ customer: { display_name: 'Wintermute Ltd' } })
    expect(await idsOf('winter lt')).toEqual([id])
    for (const text of ['mute', 'winter summer']) expect(await idsOf(text)).toEqual([])
  })

  test('by the name that its product has now, with a word of the customer', async () => {
    const { id, product_id } = await running.newOffer({ customer: { display_name: 'Tessier' } })
    await rename(product_id, 'Straylight')
    expect(await idsOf('stray')).toEqual([product_id, id])
    expect(await idsOf('tess stray')).toEqual([id])
  })

  test('by its texts as they were corrected, and no longer by those before', async () => {
    const { id } = await running.newOffer({ customer: { display_name: 'Molly' }, notes: 'razor' })
    const { etag } = (await running.getOffer(id)).body
    expect((await running.correct(id, etag, { customer: { display_name: 'Sally' } })).status).toBe(200)
    expect(await idsOf('molly')).toEqual([])
    expect(await idsOf('sally razor')).toEqual([id])
  })
})

describe('an order and its install', () => {
  test('are found by both sides, and by the seller’s notes on the seller’s side alone', async () => {
    const customer = newCustomer("anna.o'neil+x@acme-corp.example")
    const {
      id: offer,
      short_hash,
      product_id,
    } = await running.newOffer({
      customer: { display_name: 'Hosaka' },
      internal_note: 'zaibatsu',
    })
    await rename(product_id, 'Ono-Sendai')
    const { id } = (await running.order(short_hash, customer)).body
    await running.submit(id, customer)
    const [row] = await running.sql`select id from offers.installs where order_id = ${id}`
    const install = row?.id
    const reference = `${id.slice(-8, -4)}-${id.slice(-4)}`
    for (const text of ['anna', 'neil acme', 'example corp x', reference, reference.slice(0, 7)]) {
      expect([text, await idsOf(text)]).toEqual([text, [id, install]])
      expect([text, await idsOf(text, customer.workspace)]).toEqual([text, [id, install]])
    }
    expect(await idsOf('sendai', customer.workspace)).toEqual([id, install])
    expect(await idsOf('sendai')).toEqual([product_id, offer, id, install])
    for (const text of ['hosaka', 'zaibatsu']) {
      expect(await idsOf(text)).toEqual([offer, id, install])
      expect(await idsOf(text, customer.workspace)).toEqual([])
    }
  })
})

test('five of a kind are shown, the newest, and that there are more', async () => {
  const made: string[] = []
  for (let n = 0; n < 7; n++)
    made.unshift((await running.newOffer({ customer: { display_name: 'Chiba' } })).id)
  expect(await search('chiba')).toMatchObject({ more: ['offer'], data: made.slice(0, 5).map(id => ({ id })) })
})
