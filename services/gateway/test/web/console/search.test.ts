import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { pageOf } from '../../../src/web/console/shell/search.ts'
import { readApiDocument } from '../../../src/web/docs/api-document.ts'
import { Jar } from '../cookie-jar.ts'
import { newCatalogue, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

/** As descriptions in the API document have them: `offer_…`. */
const prefixes = new Set(
  [
    ...readApiDocument('https://svc.example', undefined)
      .toString()
      .matchAll(/`([a-z]+)_…`/g),
  ].map(([, prefix = '']) => prefix),
)

/** Secrets, and what `search` finds among one's own workspaces. */
const without = ['ws', 'whsec']

test('every id of the API leads to a page', () => {
  expect(prefixes.size).toBeGreaterThan(12)
  for (const prefix of prefixes) {
    if (without.includes(prefix)) continue
    expect(pageOf(`${prefix}_01h455vb4pex5vsknk084sn02q`), prefix).toMatch(/^\/[a-z]/)
  }
})

test.each([
  '',
  'offer',
  'offer_',
  'nothing_01h455',
  'offer_../../settings',
  'offer_x?y',
  'constructor_a',
  '__proto___a',
])('%j leads to none', text => expect(pageOf(text)).toBeUndefined())

test('an order is found by its reference, an offer by its link, and a word leads nowhere else', async () => {
  const seller = await scene.newOwner('Seller')
  const customer = await scene.newOwner('Customer')
  const { product_id } = await newCatalogue(seller)
  const { short_hash } = await seller.send('POST', '/offers', { product_id })
  const { id } = await customer.send('POST', `/i/${short_hash}/orders`)
  const { reference } = await customer.send('GET', `/orders/${id}`)
  for (const seat of [seller, customer]) {
    const jar = new Jar()
    jar.cookies.set('__Host-svc_session', await scene.openSession(seat.person))
    const search = async (wanted: string) => jar.ask(`${seat.root}/search?q=${encodeURIComponent(wanted)}`)
    const found = (await search(String(reference).toLowerCase())).headers.get('location')
    expect(found).toBe(`/console/${seat.workspace}/orders/${id}`)
    expect((await search(product_id.toUpperCase())).headers.get('location')).toContain(product_id)
    expect((await search(product_id.replace('_', '＿'))).headers.get('location')).toContain(product_id)
    for (const link of [short_hash, `https://svc.example/i/${short_hash}`])
      expect((await search(String(link))).headers.get('location')).toBe(`/i/${short_hash}`)
    for (const word of ['northwind', 'offers', 'AAAA-AAAA', 'https://evil.example/i/../x'])
      expect([word, (await search(word)).status]).toEqual([word, 404])
  }
})
