// Every page in every state: checked by axe in light and dark, no wider than a phone, and usable with the keyboard
// alone.
import { everything } from '@svc/testing/size'
import type { Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { readerOf } from './accessibility.ts'
import { everyPage, mailPages } from './every-page.ts'
import { heading, setPageScene } from './page-scene.ts'

const scene = forFile(setPageScene)

const expectAccessible = readerOf(() => scene)

// `npm test` has one of six.
const some = [...everyPage, ...mailPages].filter((_, at) => everything || at % 6 === 0)

test.each(some)('$name is accessible, in light and dark, and fits a phone', page => expectAccessible(page))

test('the error summary has the focus, and links to the fields', async () => {
  const { page } = await scene.open({ javaScriptEnabled: true })
  await page.goto(`${scene.urls[0]}/sign-in`)
  await page.getByLabel('Password').press('Enter')
  await page.waitForSelector('[role=alert]')
  await expect.poll(() => focused(page)).toBe('There are 2 problems')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('email')
})

test('a person signs in, enters a code and approves with the keyboard alone, and sees where the focus is', async () => {
  const person = await scene.newPerson()
  const grant = await scene.startGrant()
  const { page } = await scene.open({ javaScriptEnabled: true })
  await page.goto(`${scene.urls[0]}/device`)

  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await tabTo(page, 'Email address')
  await page.keyboard.type(person.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/device$/)

  await tabTo(page, 'Code')
  await page.keyboard.type(grant.user_code.toLowerCase())
  await tabTo(page, 'Continue')
  await page.keyboard.press('Space')
  await page.getByRole('heading', { name: /^Allow/ }).waitFor()

  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Device approved' }).waitFor()
  expect(await heading(page)).toBe('Device approved')
  expect((await grant.poll()).outcome).toBe('approved')
})

/** What a screen reader would say of the element with the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const label = element.id && document.querySelector(`label[for="${element.id}"]`)
    const title = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    return (label || title || element).textContent?.trim()
  })

async function tabTo(page: Page, name: string) {
  for (let presses = 1; presses <= 20; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) !== name) continue
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    return
  }
  throw new Error(`${name} is not reached within twenty presses of Tab`)
}
