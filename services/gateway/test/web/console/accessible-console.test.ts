// The pages of the console: checked by axe in light and dark, and no wider than a phone.
import { readFileSync } from 'node:fs'
import { everything } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { colours, spaces, types } from '../../../src/web/console/components/tokens.ts'
import { readerOf } from '../accessibility.ts'
import { consoleStates } from './console-states.ts'
import { type Filled, fillWorkspace } from './one-of-each.ts'
import { setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
let filled: Filled
beforeAll(async () => {
  filled = await fillWorkspace(scene)
})

const expectAccessible = readerOf(
  () => scene,
  async page => {
    await scene.admit(page.context(), filled.people.owner)
    await page.goto(scene.urls[0] + filled.root)
  },
)

/** `npm test` has an overview, a form, a list and a secret. */
const few = ['home', 'new offer, refused', 'offers', 'token made']

describe.each(consoleStates.filter(({ name }) => everything || few.includes(name)))('$name', state => {
  test('is accessible, in light and dark, and fits a phone', () =>
    expectAccessible({
      title: new RegExp(`^${state.title.replace(/[?.“”]/g, '\\$&')}.* – Acme$`),
      async show(page) {
        await scene.admit(page.context(), filled.people[state.as ?? 'owner'])
        await page.goto(scene.urls[0] + filled.root + state.path(filled.ids))
        await state.then?.(page)
      },
    }))
})

test('the page of components has all tokens', () => {
  const css = readFileSync(new URL('../../../assets/tokens.css', import.meta.url), 'utf8')
  const named = new Set([...css.matchAll(/--([a-z0-9-]+):/g)].map(([, name]) => name))
  const shown = [...colours, ...types, ...spaces, 'sans', 'mono', 'round-1', 'round-2', 'round-3']
  expect([...named].sort()).toEqual([...shown].sort())
})
