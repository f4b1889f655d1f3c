// The pages of the seller's orders: checked by axe in light and dark, no wider than a phone.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerOf } from '../accessibility.ts'
import { type OfferScene, setOfferScene } from '../offer/offer-scene.ts'
import { sellerStates } from './seller-states.ts'

let scene: OfferScene
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
})
afterAll(() => scene?.stop())

const expectAccessible = readerOf(() => scene)

test.each(sellerStates)('$name is accessible, in light and dark, and fits a phone', ({ title, show }) =>
  expectAccessible({
    async show(page) {
      await show(page, scene)
      expect(await page.title()).toMatch(title)
    },
  }),
)
