import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { test } from 'vitest'
import { readerOf } from '../../accessibility.ts'
import { setOfferScene } from './offer-scene.ts'
import { offerStates } from './offer-states.ts'

const scene = forFile(setOfferScene)

const expectAccessible = readerOf(() => scene)

// `npm test` has one of nine.
const some = offerStates.filter((_, at) => everything || at % 9 === 0)

test.each(some)('$name is accessible, in light and dark, and fits a phone', state =>
  expectAccessible(state, state.drawn),
)
