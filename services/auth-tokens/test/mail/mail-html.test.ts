// What a notice looks like: in Chromium, light and dark, on a phone, read by axe, and with the colours of the pages.
import { mailKindNames } from '@svc/contract/auth-tokens/mail'
import { startBrowser, type TestBrowser } from '@svc/testing/browser'
import { testSeal } from '@svc/testing/seal'
import { everything } from '@svc/testing/size'
import type { AxeResults } from 'axe-core'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClaimedMessage } from '../../src/mail/claim-message.ts'
import { dark, light } from '../../src/mail/template/colors.ts'
import { accountKinds, type NoticeFacts, type NoticeKind } from '../../src/mail/notices/notice.ts'
import { messageText } from '../../src/mail/message-text.ts'
import { noticeText } from '../../src/mail/notices/notice-text.ts'
import { orderFacts } from './notice-scene.ts'

const kinds: readonly NoticeKind[] = [...mailKindNames, ...accountKinds]
const facts = {
  ...orderFacts,
  product: 'Continuous integration of the very-long-repository-name-that-does-not-break-anywhere',
  seller: 'ws_1',
  reason: 'We cannot deliver to you.\nAsk again in January.',
  instructions: `Transfer to DE89 3704 0044 0532 0130 00.\nhttps://acme.example/${'pay'.repeat(40)}`,
  reference: 'order_01m85xaggaf209tzhqk2z1xm8k',
  next_steps: 'Install it:\n\n```sh\nhelm install --set host=<host>\n```',
  approved: true,
  token: 'deploy',
  hint: 'x9Tz',
  days: 7,
  last_used_at: null,
  address: '2001:db8::1',
  user_agent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  at: 1_795_280_400,
} as unknown as NoticeFacts

const claimed = {
  id: 'msg_1',
  kind: 'notice',
  email: 'ada@acme.example',
  attempts: 1,
  role: null,
  workspace_id: 'ws_1',
  workspace_name: 'Globex',
  inviter: null,
  details: facts,
  notice: null,
  seller_name: 'Acme',
  member_email: 'kim@globex.example',
  user_id: 'user_1',
  signed_up: true,
  wanted: true,
} as const satisfies ClaimedMessage

const options = { publicUrl: 'https://svc.test', seal: testSeal }
const mailOf = (notice: NoticeKind, of: Partial<ClaimedMessage> = {}) =>
  noticeText({ ...claimed, notice, ...of }, notice, options)
const digest = mailOf('order_placed', {
  kind: 'digest',
  details: { count: 300, items: Array(20).fill(facts) },
})

let browser: TestBrowser
let axe: string
beforeAll(async () => {
  browser = await startBrowser()
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
})
afterAll(() => browser?.close())

/** Where they can be looked at. */
const folder = process.env.SVC_MAIL_SCREENSHOTS

const shown: readonly (readonly [string, { html?: string }])[] = [
  ...kinds.map(kind => [kind, mailOf(kind)] as const),
  ['digest', digest],
  ...(['recovery', 'sign_up', 'invitation', 'webhook'] as const).map(
    kind =>
      [
        kind,
        messageText(
          { ...claimed, kind, details: null },
          'https://svc.test/verify?token=1',
          'https://svc.test',
        ),
      ] as const,
  ),
]
const some = everything
  ? shown
  : shown.filter(([name]) => ['order_payment', 'digest', 'recovery'].includes(name))

test.each(some)('%s is accessible in light and dark, and fits a phone', async (name, { html = '' }) => {
  const context = await browser.browser.newContext({ viewport: { width: 390, height: 800 } })
  const page = await context.newPage()
  try {
    await page.setContent(html)
    await page.evaluate(`${axe};0`)
    const grounds = new Set<unknown>()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [390, 320, 1000]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      grounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
      const { violations, passes } = (await page.evaluate('axe.run()')) as AxeResults
      expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
      expect(passes.length).toBeGreaterThan(10)
      if (!folder) continue
      await mkdir(folder, { recursive: true })
      await page.setViewportSize({ width: 390, height: 800 })
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true })
    }
    expect(grounds.size).toBe(2)
  } finally {
    await context.close()
  }
})

test('text and HTML say the same, load nothing, and lead to our pages alone', () => {
  for (const kind of kinds) {
    const { text, html = '' } = mailOf(kind)
    const plain = (of: string) =>
      of.replace(/<style>.*?<\/style>|<title>.*?<\/title>/g, '').replace(/<[^>]*>/g, ' ')
    const words = (of: string) => new Set(of.match(/[\p{L}\d]{3,}/gu))
    const links = [...html.matchAll(/ (?:src|href|action|background)="([^"]*)"/g)].map(([, url = '']) => url)
    for (const url of links) expect(url).toMatch(/^https:\/\/svc\.test\//)
    const said = plain(html).replaceAll('&quot;', '"')
    const missing = [...words(said)].filter(word => !words(text).has(word) && word !== 'svc')
    expect([kind, missing]).toEqual([kind, []])
    expect(html).not.toMatch(/<(script|img|link|form|iframe)\b|url\(|@import/)
  }
})

test('the colours are those of the pages', async () => {
  const css = await readFile(new URL('../../../gateway/assets/tokens.css', import.meta.url), 'utf8')
  const [, first = '', second = ''] = css.split(':root {')
  const variables = (block: string) =>
    Object.fromEntries(
      [...block.replace(/\}.*/s, '').matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  expect(variables(first)).toMatchObject(light)
  expect(variables(second)).toMatchObject(dark)
})

describe('names and texts of others', () => {
  const evil = {
    ...facts,
    product: 'Your account is locked: https://evil.example/\nsign in\u202e',
    customer: '"><a href=x>@evil.example',
    reason: '</p><script>alert(1)</script>\u200b\u202e',
    token: 'www.evil.example',
    user_agent: 'https://evil.example <b>',
    address: 'evil.example',
  }

  test('are text, and no link', () => {
    for (const kind of kinds) {
      const {
        subject,
        text,
        html = '',
      } = mailOf(kind, {
        details: evil,
        workspace_name: 'evil.example',
        seller_name: 'evil.example',
        member_email: '"evil.example/"@x.example',
      })
      expect(subject + html).not.toMatch(/<script|<b>|<a href=x|evil\.example\/|\u202e|\u200b/)
      const own = `${subject}\n${text}`.replaceAll('https://svc.test', '').replace(/> .*/g, '')
      expect([kind, /[a-z]:\/\/|[\p{L}\d]\.[\p{L}\d]*example/iu.exec(own)?.[0]]).toEqual([kind, undefined])
      expect(subject.length).toBeLessThan(200)
    }
  })

  test('texts of the seller keep their lines, and stand in a quotation', () => {
    const { text, html } = mailOf('order_payment', { details: facts })
    expect(text).toContain(
      'The seller wrote:\n> Transfer to DE89 3704 0044 0532 0130 00.\n> https://acme.example/pay',
    )
    expect(html).toContain('white-space:pre-line')
  })
})
