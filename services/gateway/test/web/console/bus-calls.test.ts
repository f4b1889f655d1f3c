// How many calls of the bus a page of the console costs. After a change of pages: vitest -u.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { consoleStates } from './console-states.ts'
import { type Filled, fillWorkspace } from './one-of-each.ts'
import { type ConsoleScene, setConsoleScene } from './console-scene.ts'

let scene: ConsoleScene
let filled: Filled
let here: GatewayHere
let session: string
let calls: string[] = []
beforeAll(async () => {
  scene = await setConsoleScene(joinProduct)
  filled = await fillWorkspace(scene)
  here = await startGatewayHere(scene.stack, { onCall: subject => calls.push(subject) })
  session = await scene.openSession(filled.people.owner)
})
afterAll(async () => {
  await here?.stop()
  await scene?.stop()
})

/** Who asks (as a person and as a member; asked again if no answer comes), their address and their workspaces. */
const ofFrame = new Set(
  ['resolve_credentials', 'read_user', 'list_workspaces'].map(operation => `rpc.auth-tokens.${operation}`),
)

test('pages cost no more calls of the bus than these, besides those of the frame', async () => {
  const cookie = `__Host-svc_session=${session}`
  const costs: Record<string, number> = {}
  for (const { name, path, as, then } of consoleStates) {
    if (as || then) continue
    calls = []
    await (await fetch(here.url + filled.root + path(filled.ids), { headers: { cookie } })).text()
    costs[name] = calls.filter(subject => !ofFrame.has(subject)).length
  }
  expect(costs).toMatchInlineSnapshot(`
    {
      "CI trust, by a run": 1,
      "CI trust, question": 1,
      "CI trusts": 2,
      "activity": 5,
      "audit log": 5,
      "cluster": 4,
      "cluster, secret": 1,
      "cluster, settings": 2,
      "clusters": 1,
      "components": 0,
      "customers": 1,
      "delivery": 1,
      "endpoint": 2,
      "event": 4,
      "first offer, done": 6,
      "home": 16,
      "install": 4,
      "install, cancelled": 3,
      "install, lapsed": 4,
      "install, paid": 3,
      "install, paid by card": 3,
      "install, past due": 3,
      "install, question": 1,
      "installs": 3,
      "installs, overdue": 2,
      "invitation, question": 1,
      "licence keys": 1,
      "licence keys, rotate": 0,
      "members": 2,
      "new offer": 4,
      "new offer, choice": 2,
      "new offer, like another": 5,
      "new revision of terms": 2,
      "new token": 0,
      "not found": 6,
      "offer": 7,
      "offer, edit": 1,
      "offer, question": 1,
      "offers": 3,
      "offers, none like this": 3,
      "orders": 2,
      "orders placed": 1,
      "orders, none like this": 2,
      "package, question": 1,
      "packages": 1,
      "product": 4,
      "products": 2,
      "revision of terms": 3,
      "search": 1,
      "search, nothing": 1,
      "settings": 1,
      "settings, delete": 0,
      "subscription, at Stripe": 1,
      "subscription, end": 1,
      "subscription, go on": 1,
      "subscription, payment": 1,
      "terms": 2,
      "terms of a product": 3,
      "token": 1,
      "token, edit": 1,
      "token, question": 1,
      "token, rotation": 1,
      "tokens": 1,
      "webhooks": 1,
    }
  `)
})
