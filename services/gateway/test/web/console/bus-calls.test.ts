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

/** Who asks, as a person and as a member, their address, and their workspaces. */
const shell = 4

test('pages cost no more calls of the bus than these, besides those of the frame', async () => {
  const cookie = `__Host-svc_session=${session}`
  const costs: Record<string, number> = {}
  for (const { name, path, as, then } of consoleStates) {
    if (as || then) continue
    calls = []
    await (await fetch(here.url + filled.root + path(filled.ids), { headers: { cookie } })).text()
    costs[name] = calls.length - shell
  }
  expect(costs).toMatchInlineSnapshot()
})
