// The pages of offers and orders: checked by axe in light and dark, no wider than a phone; their policy, and its
// limits.
import { everything } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readerOf } from '../accessibility.ts'
import { Jar } from '../cookie-jar.ts'
import { type OfferScene, setOfferScene } from './offer-scene.ts'
import { offerStates } from './offer-states.ts'

let scene: OfferScene
let url: string
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  url = scene.urls[0]
})
afterAll(() => scene?.stop())

const expectAccessible = readerOf(() => scene)

// `npm test` has one of three.
const some = offerStates.filter((_, at) => everything || at % 3 === 0)

test.each(some)('$name is accessible, in light and dark, and fits a phone', state =>
  expectAccessible(state, state.drawn),
)

describe('scripts', () => {
  const policyOf = async (jar: Jar, path: string) =>
    (await jar.ask(url + path)).headers.get('content-security-policy') ?? ''

  test('run only on the page with the form, from files, and write no markup', async () => {
    const jar = new Jar()
    const { email, password } = await scene.newCustomer()
    const open = await scene.newOffer()
    const closed = await scene.newOffer()
    await scene.send('POST', `/offers/${closed.id}/revoke`)
    const { csrf } = await jar.ask(`${url}/sign-in`)
    expect(await policyOf(jar, open.path)).not.toContain('script-src')
    await jar.ask(`${url}/sign-in`, { form: { email, password, _csrf: csrf } })
    for (const path of ['/sessions', '/device', closed.path, '/i/unknown12345', '/orders/unknown']) {
      expect(await policyOf(jar, path)).toBe(
        "default-src 'none';style-src 'self';img-src 'self';font-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
      )
    }
    expect(await policyOf(jar, open.path)).toBe(
      "default-src 'none';style-src 'self';img-src 'self';font-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'" +
        ";script-src 'self';require-trusted-types-for 'script';trusted-types 'none'",
    )
  })

  test('are cached by browsers for ever under the hash of their content, and sent compressed', async () => {
    const { path } = await scene.newOffer({ schema: { properties: { a: { type: 'string' } } } })
    const { page } = await scene.visit(path, await scene.newCustomer())
    const script = await page.locator('script[src*=offer-form]').getAttribute('src')
    expect(script).toMatch(/^\/assets\/offer-form\.[0-9a-f]{16}\.js$/)
    const answer = await fetch(url + script, { headers: { 'accept-encoding': 'gzip' } })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    })
    const plain = await fetch(url + script, { headers: { 'accept-encoding': 'identity, gzip;q=0' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const text = await plain.text()
    expect(text).toBe(await answer.text())
    expect(text).not.toMatch(/\beval\(|new Function\(/)
    const old = await fetch(`${url}/assets/offer-form.0000000000000000.js`)
    expect(old.headers.get('cache-control')).toBe('no-store')
  })
})
