import { keepRunning } from '@svc/testing/keep-running'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { setConsoleScene } from './console-scene.ts'
import { filledIn, formPaths } from './console-paths.ts'
import { anyForm, type Filled, fillWorkspace, stateOf } from './filled-workspace.ts'

const scene = keepRunning(setConsoleScene)
let filled: Filled
let own: Jar
let foreign: string
beforeAll(async () => {
  filled = await fillWorkspace(scene, await scene.newOwner())
  const { seat } = filled
  own = await jarOf(await scene.openSession(seat.person))
  await own.ask(`${seat.root}/offers`)
  // The same person in another browser.
  const other = await jarOf(await scene.openSession(seat.person))
  foreign = (await other.ask(`${seat.root}/offers`)).csrf
})

async function jarOf(session: string) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', session)
  return jar
}

const csrfOf = async () => (await own.ask(`${filled.seat.root}/offers`)).csrf

/** All forms of the console, and that of the first workspace. */
const addresses = () => [
  `${scene.urls[0]}/console/new`,
  ...formPaths.map(path => filled.seat.root + filledIn(path, filled.ids)),
]

test('the routes are found', () => {
  expect(formPaths.length).toBeGreaterThanOrEqual(40)
  expect(formPaths).toEqual(expect.arrayContaining(['/start', '/offers/new', '/tokens/new', '/settings']))
})

test.each([
  ['without a token', async () => [{}, {}] as const],
  ['with an empty token', async () => [{ _csrf: '' }, {}] as const],
  ['with the token of another browser', async () => [{ _csrf: foreign }, {}] as const],
  ['from another site', async () => [{ _csrf: await csrfOf() }, { 'sec-fetch-site': 'cross-site' }] as const],
  ['from another host', async () => [{ _csrf: await csrfOf() }, { origin: 'https://evil.example' }] as const],
])('every form is refused %s, and changes nothing', async (_, made) => {
  const before = await stateOf(scene, filled)
  const sessions = () => scene.stack.sql`
    select id from auth_tokens.sessions where user_id = ${filled.seat.person.id} and expires_at > now() order by id`
  const started = await sessions()
  const [fields, headers] = await made()
  for (const address of addresses()) {
    const form = { ...anyForm, id: filled.ids.invitations ?? '', ...fields }
    const { status, text } = await own.ask(address, { form, headers })
    expect([address, status]).toEqual([address, 403])
    expect(text).toContain('<h1>This page is out of date</h1>')
  }
  expect(await stateOf(scene, filled)).toEqual(before)
  expect(await sessions()).toEqual(started)
})

test('the same form with its token is taken', async () => {
  const form = { name: 'Renamed', _csrf: await csrfOf() }
  expect((await own.ask(`${filled.seat.root}/settings`, { form })).status).toBe(303)
})
