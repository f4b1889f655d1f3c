import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { type Seat, setConsoleScene } from './console-scene.ts'
import { filledIn, formPaths, pagePaths } from './console-paths.ts'
import { anyForm, type Filled, fillWorkspace, own, stateOf } from './filled-workspace.ts'

const scene = forFile(setConsoleScene)
let a: Seat
let b: Filled
let jar: Jar
beforeAll(async () => {
  const seat = await scene.newOwner('Workspace B')
  a = await scene.alsoIn(seat, 'Workspace A')
  b = await fillWorkspace(scene, seat)
  jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(seat.person))
})

const withId = (paths: readonly string[]) => paths.filter(path => path.includes(':'))

const withoutRequest = (text: string) => text.replace(/req_\w+/, '')
const csrfOf = async () => (await jar.ask(`${a.root}/settings`)).csrf

test('pages with an id and pages of forms are shown below their own root, and those with an id not below another', async () => {
  expect(pagePaths).toEqual(expect.arrayContaining(formPaths))
  for (const path of pagePaths.filter(path => path.includes(':') || formPaths.includes(path))) {
    // Its seller has nothing to report.
    if (/^\/installs\/:id\/(remove|credential)$/.test(path)) continue
    const filled = filledIn(path, b.ids)
    const shown = await opened(b.seat.root + filled, path)
    expect([path, shown.status]).toEqual([path, 200])
    if (!path.includes(':')) continue
    const { status, text } = await opened(a.root + filled, path)
    expect([path, status]).toEqual([path, 404])
    expect(text).toContain('<h1>Not found</h1>')
    expect(text).not.toContain(own)
    expect(text).not.toContain('only-in-b')
  }
})

/** What only a form has leads to the page above it: that one is meant. */
async function opened(address: string, path: string) {
  const answer = await jar.ask(address)
  if (answer.status !== 303 || !formPaths.includes(path)) return answer
  expect(answer.text).toBe('')
  const above = new URL(answer.headers.get('location') ?? '', address).href
  expect(`${address}/`.startsWith(above)).toBe(true)
  return jar.ask(above)
}

test('an event that nobody caused has a page', async () => {
  await scene.stack.sql`update activity.events set actor = null where id = ${String(b.ids.activity)}`
  expect((await jar.ask(`${b.seat.root}/activity/${b.ids.activity}`)).status).toBe(200)
})

test('the order of another workspace is on no page of who is not in it', async () => {
  const stranger = await scene.newOwner('Workspace C')
  const page = await scene.plain(stranger, `/orders/${b.ids.orders}`)
  expect(await page.content()).not.toContain(own)
  expect(await page.title()).toMatch(/^Not found/)
})

test.each([
  '%0d%0aX: y',
  '%2F%2Fevil.example',
  '\u00e9',
  '%F0%9F%98%80',
  '..%2f..',
  '%22%3E',
  `order_${'x'.repeat(90)}`,
])('an id of an order that is none leads nowhere else: %s', async id => {
  const { status, headers } = await jar.ask(`${a.root}/orders/${id}`)
  expect([303, 400, 404]).toContain(status)
  const location = headers.get('location')
  if (location) expect(new URL(location, scene.urls[0]).href).toMatch(`${scene.urls[0]}/orders/`)
})

test.each([
  ['/offers/new', 'product_id', 'catalogue/products'],
  ['/offers/new', 'offer_channel_id', 'catalogue/channels'],
  ['/offers/new', 'package_version_id', 'catalogue/versions'],
  ['/offers/new', 'from', 'offers'],
  ['/orders', 'offer_id', 'offers'],
  ['/installs', 'offer_id', 'offers'],
  ['/offers', 'product_id', 'catalogue/products'],
  ['/catalogue/products/new', 'package_id', 'catalogue/packages'],
  ['/catalogue/channels/new', 'product_id', 'catalogue/products'],
  ['/activity', 'aggregate', 'offers'],
  ['/activity/audit-log', 'aggregate', 'offers'],
])('%s?%s= of another workspace shows nothing of it', async (path, name, kind) => {
  const { status, text } = await jar.ask(
    `${a.root}${path}?${new URLSearchParams({ [name]: b.ids[kind] ?? '' })}`,
  )
  expect([200, 404]).toContain(status)
  expect(text).not.toContain(own)
})

/** As it is sent by who changed nothing. */
const unchanged = Object.fromEntries(
  Object.entries(anyForm).flatMap(([name, value]) => [
    [name, value],
    [`was.${name}`, value],
  ]),
)

test('every form with an id is refused below another root, with changes, without one and with nothing in it, and changes nothing', async () => {
  const _csrf = await csrfOf()
  const before = await stateOf(scene, b)
  expect(Object.values(before).map(rows => rows.length)).not.toContain(0)
  const answers = []
  // In `npm test` each form is sent one of the three, in turn.
  for (const [kind, fields] of [anyForm, unchanged, {}].entries()) {
    for (const path of withId(formPaths).filter((_, at) => everything || at % 3 === kind)) {
      const form = { ...fields, id: b.ids.tokens ?? '', _csrf }
      answers.push([path, (await jar.ask(a.root + filledIn(path, b.ids), { form })).status])
    }
  }
  answers.push([
    'the invitation',
    (await jar.ask(`${a.root}/members/invitations/${b.ids.invitations}/revoke`, { form: { _csrf } })).status,
  ])
  expect(answers.filter(([, status]) => status !== 404)).toEqual([])
  expect(await stateOf(scene, b)).toEqual(before)
})

test.each(['', '/offers', '/tokens/new', '/settings'])(
  'a workspace that the person is not in is not there: %s',
  async path => {
    const other = await scene.newOwner('Workspace C')
    const { status, text } = await jar.ask(other.root + path)
    expect(status).toBe(404)
    expect(text).not.toContain('Workspace C')
    const unknown = await jar.ask(`${scene.urls[0]}/console/ws_nobody${path}`)
    expect(withoutRequest(unknown.text)).toBe(withoutRequest(text))
  },
)
