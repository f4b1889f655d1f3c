import { forFile } from '@svc/testing/for-file'
import { test } from 'vitest'
import { readerOf } from '../../accessibility.ts'
import { setOfferScene } from './offer-scene.ts'
import { offerStates } from './offer-states.ts'

const scene = forFile(setOfferScene)

const expectAccessible = readerOf(() => scene)

test.each(offerStates)('$name is accessible, in light and dark, and fits a phone', state =>
  expectAccessible(state, state.drawn),
)
