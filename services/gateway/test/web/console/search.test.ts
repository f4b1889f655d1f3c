import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { pageOf } from '../../../src/web/console/shell/search.ts'
import { readApiDocument } from '../../../src/web/docs/api-document.ts'
import { Jar } from '../cookie-jar.ts'
import { newCatalogue, type Seat, setConsoleScene } from './console-scene.ts'

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
    for (const word of [
      'northwind',
      'offers',
      'AAAA-AAAA',
      'no\u202ething\u0007',
      'https://evil.example/i/../x',
    ])
      expect([word, (await search(word)).status]).toEqual([word, 404])
  }
})

test('what is found is shown by kind, for what the role may see, with a link to each page', async () => {
  const owner = await scene.newOwner('Seller')
  const member = await scene.newColleague(owner, 'member')
  const { product_id } = await newCatalogue(owner)
  const customer = { display_name: 'Žižkov Brewery' }
  const offer = await owner.send('POST', '/offers', { product_id, customer })
  const cluster = await owner.send('POST', '/clusters', { name: 'ZIZKOV-1' })
  const endpoint = await owner.send('POST', '/webhook_endpoints', {
    ...{ url: 'https://zizkov.example/', event_types: ['offers.*'] },
  })
  const linksOf = async (seat: Seat) => {
    const page = await scene.plain(seat, `/search?q=${encodeURIComponent('žiž'.normalize('NFD'))}`)
    const links = (await page.content()).matchAll(/href="[^"]*\/((offer|clus|whe)_\w+)"/g)
    return [...links].map(([, id]) => id)
  }
  expect(await linksOf(owner)).toEqual([offer.id, cluster.id, endpoint.id])
  expect(await linksOf(member)).toEqual([offer.id, cluster.id])
  expect(await linksOf(await scene.alsoIn(owner, 'Elsewhere'))).toEqual([])
})

test('a slash and Control+k lead to the search, but not while somebody types a slash', async () => {
  const seat = await scene.newOwner('Seller')
  const { page } = await scene.draw(seat, '/members')
  const box = page.getByRole('searchbox', { name: 'Search' })
  for (const keys of ['/', 'Control+k']) {
    await page.keyboard.press(keys)
    await expect.poll(() => box.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.type('a/b')
    expect(await box.inputValue()).toBe('a/b')
    await box.fill('')
    await box.blur()
  }
})
