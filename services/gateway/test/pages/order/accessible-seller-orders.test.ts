// The pages of the seller's orders: checked by axe in light and dark, no wider than a phone.
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
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

// They are one page with other buttons and texts.
const states = sellerStates.filter((_, at) => everything || at % 3 === 0)

test.each(states)('$name is accessible, in light and dark, and fits a phone', ({ title, show }) =>
  expectAccessible({
    async show(page) {
      await show(page, scene)
      expect(await page.title()).toMatch(title)
    },
  }),
)
