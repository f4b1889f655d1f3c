import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { readerOf } from '../../accessibility.ts'
import { setOfferScene } from '../../store/offer/offer-scene.ts'
import { newSeller } from './seller-scene.ts'
import { sellerStates } from './seller-states.ts'

const scene = forFile(setOfferScene)

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

// They are one page with other buttons and texts. `npm test` has one of nine.
const some = sellerStates.filter((_, at) => everything || at % 9 === 0)

test.each(some)('$name is accessible, in light and dark, and fits a phone', ({ title, show }) =>
  readers[typeof title === 'string' ? 'ofCustomer' : 'ofSeller']({
    async show(page) {
      await show(page, scene)
      expect(await page.title()).toMatch(title)
    },
  }),
)
