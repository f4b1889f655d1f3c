// The pages of the seller's orders: checked by axe in light and dark, no wider than a phone.
// In `npm test`: accessible-pages.test.ts.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerOf } from '../../accessibility.ts'
import { type OfferScene, setOfferScene } from '../../store/offer/offer-scene.ts'
import { newSeller } from './seller-scene.ts'
import { sellerStates } from './seller-states.ts'

let scene: OfferScene
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
})
afterAll(() => scene?.stop())

/** The seller's are pages of the console, whose titles have the workspace. */
const readers = {
  ofCustomer: readerOf(() => scene),
  ofSeller: readerOf(
    () => scene,
    async page => {
      const owner = await newSeller(scene, 'owner')
      await scene.admit(page.context(), owner)
      await page.goto(`${scene.urls[0]}/console/${scene.stack.dev.workspace_id}`)
    },
  ),
}

// They are one page with other buttons and texts.

test.each(sellerStates)('$name is accessible, in light and dark, and fits a phone', ({ title, show }) =>
  readers[typeof title === 'string' ? 'ofCustomer' : 'ofSeller']({
    async show(page) {
      await show(page, scene)
      expect(await page.title()).toMatch(title)
    },
  }),
)
