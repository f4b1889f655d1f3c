/** What every page must be: accepted by axe in light and dark, and no wider than a phone. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { everything } from '@svc/testing/size'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageScene } from './page-scene.ts'
import type { Shown } from './every-page.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const schemes = ['light', 'dark'] as const
const widths = [320, 1280]
let pages = 0

/**
 * For a page in a browser with JavaScript, which axe needs. In `npm run test:all` axe checks every page in light and
 * dark, one of them on a phone and the other on a desktop, in turn; otherwise in one of the four in turn.
 */
export async function expectAccessible(page: Page) {
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  const turn = pages++ % 4
  const grounds = new Set<unknown>()
  for (const [row, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme })
    grounds.add(await page.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor'))
    for (const [column, width] of widths.entries()) {
      if (everything ? (row + column + turn) % 2 : turn !== 2 * row + column) continue
      await page.setViewportSize({ width, height: 800 })
      expect(await violations(page)).toEqual([])
    }
  }
  expect(grounds.size).toBe(2)
  for (const width of everything ? [320, 390] : [320]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}

interface ShownPage extends Pick<Shown, 'show'> {
  readonly title?: string | RegExp
}

/**
 * Opens pages for `expectAccessible`. In `npm test` pages without scripts are fetched as text and shown one after
 * another in the same page, which has axe already.
 */
export function readerOf(
  scene: () => PageScene,
  /** Opens a page with the stylesheets of all others. */
  openFirst: (page: Page) => Promise<unknown> = page => page.goto(`${scene().urls[0]}/sign-in`),
) {
  const options = { javaScriptEnabled: true, bypassCSP: true }
  let reader: Promise<Page> | undefined

  async function openReader(): Promise<Page> {
    const { page } = await scene().open(options, true)
    await openFirst(page)
    return page
  }

  return async ({ title, show }: ShownPage, drawn = everything) => {
    const { page: tab } = await (drawn ? scene().open(options) : scene().openPlain())
    await show(tab, scene())
    const shown = await tab.title()
    if (typeof title === 'string') expect(shown).toBe(`${title} – svc`)
    else if (title) expect(shown.replace(/ – svc$/, '')).toMatch(title)
    if (drawn) return expectAccessible(tab as Page)
    reader ??= openReader()
    const page = await reader
    await showCopy(page, await tab.content())
    expect(await page.title()).toBe(shown)
    await expectAccessible(page)
  }
}

/** Replaces this page by another one with the same stylesheet. Loaded scripts stay. */
const showCopy = (page: Page, markup: string) =>
  page.evaluate(text => {
    const copy = new DOMParser().parseFromString(text, 'text/html')
    const sheets = (of: Document) =>
      [...of.querySelectorAll('link[rel=stylesheet]')].map(link => link.getAttribute('href')).join()
    if (sheets(copy) !== sheets(document)) throw new Error('It has other stylesheets')
    if (copy.querySelector('script[type="application/json"][id]')) throw new Error('A script draws it')
    document.documentElement.lang = copy.documentElement.lang
    document.title = copy.title
    document.body.replaceWith(document.adoptNode(copy.body))
  }, markup)

/** Colours in transition from one scheme to the other have arbitrary contrast. */
const endTransitions = `
  for (let moving; (moving = document.getAnimations().filter(found => found instanceof CSSTransition)).length > 0; )
    for (const transition of moving) transition.finish()`

/** The violations that axe finds. */
export async function violations(page: Page) {
  await page.evaluate(endTransitions)
  // Compiling it takes longer than running it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe};0`)
  const options = { resultTypes: ['violations'] }
  const { violations, passes } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  // Otherwise axe has not checked anything.
  expect(passes.length).toBeGreaterThan(15)
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
}
