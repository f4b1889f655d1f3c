// The pages of offers and orders: checked by axe in light and dark, no wider than a phone.
// In `npm test`: accessible-pages.test.ts.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, test } from 'vitest'
import { readerOf } from '../../accessibility.ts'
import { type OfferScene, setOfferScene } from './offer-scene.ts'
import { offerStates } from './offer-states.ts'

let scene: OfferScene
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
})
afterAll(() => scene?.stop())

const expectAccessible = readerOf(() => scene)

test.each(offerStates)('$name is accessible, in light and dark, and fits a phone', state =>
  expectAccessible(state, state.drawn),
)
