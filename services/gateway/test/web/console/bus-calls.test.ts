// How many calls of the bus a page of the console costs: as many as its file states, and those of the shell.
import { readFileSync } from 'node:fs'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { type OfferScene, setOfferScene } from '../store/offer/offer-scene.ts'
import { type Filled, fillWorkspace } from './one-of-each.ts'

let scene: OfferScene
let filled: Filled
let here: GatewayHere
let session: string
let calls: string[] = []
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  filled = await fillWorkspace(scene)
  here = await startGatewayHere(scene.stack, { onCall: subject => calls.push(subject) })
  session = await scene.openSession(filled.people.owner)
})
afterAll(async () => {
  await here?.stop()
  await scene?.stop()
})

/** Who asks, as a person and as a member, their address, and their workspaces. */
const shell = 4
const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

const stated = (file: string): number => {
  const text = readFileSync(new URL(`../../../src/web/console/${file}`, import.meta.url), 'utf8')
  const [, number = ''] = /(\w+) calls? of the bus/.exec(text) ?? []
  expect(numbers).toContain(number)
  return numbers.indexOf(number)
}

const pages: readonly (readonly [file: string, path: (ids: Filled['ids']) => string])[] = [
  ['home/home.tsx', () => ''],
  ['offers/offers.tsx', () => '/offers'],
  ['offers/offer.tsx', ({ offer }) => `/offers/${offer}`],
  ['orders/orders.tsx', () => '/orders'],
  ['orders/order.tsx', ({ order }) => `/orders/${order}`],
  ['installs/installs.tsx', () => '/installs'],
  ['installs/install.tsx', ({ install }) => `/installs/${install}`],
  ['catalogue/catalogue.tsx', () => '/catalogue'],
  ['catalogue/catalogue.tsx', () => '/catalogue?kind=channels'],
  ['catalogue/product.tsx', ({ product }) => `/catalogue/products/${product}`],
  ['catalogue/channel.tsx', ({ channel }) => `/catalogue/channels/${channel}`],
  ['catalogue/version.tsx', ({ version }) => `/catalogue/versions/${version}`],
  ['clusters/clusters.tsx', () => '/clusters'],
  ['clusters/cluster.tsx', ({ cluster }) => `/clusters/${cluster}`],
  ['tokens/tokens.tsx', () => '/tokens'],
  ['webhooks/webhooks.tsx', () => '/webhooks'],
  ['webhooks/endpoint.tsx', ({ endpoint }) => `/webhooks/${endpoint}`],
  ['activity/activity.tsx', () => '/activity'],
  ['activity/event.tsx', ({ event }) => `/activity/${event}`],
  ['members/members.tsx', () => '/members'],
  ['settings/settings.tsx', () => '/settings'],
  ['start/first-offer.tsx', () => '/start'],
  ['components/components.tsx', () => '/components'],
]

test.each(pages)('%s states its calls of the bus', async (file, path) => {
  calls = []
  const response = await fetch(here.url + filled.root + path(filled.ids), {
    headers: { cookie: `__Host-svc_session=${session}` },
  })
  expect(response.status).toBe(200)
  expect(calls.length - shell, calls.join(' ')).toBe(stated(file))
})
