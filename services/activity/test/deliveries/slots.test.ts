// Which endpoints get a slot when there are fewer slots than endpoints.
import { expect, test } from 'vitest'
import { createSlots, type Flow, type Slot } from '../../src/deliveries/slots.ts'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))

function scene(count: number) {
  const slots = createSlots(count)
  /** In the order of getting a slot. */
  const began: { flow: Flow; slot: Slot }[] = []
  const take = (flow: Flow) => {
    const slot = slots.take(flow)
    void slot?.then(taken => began.push({ flow, slot: taken }))
    return slot !== undefined
  }
  const of = (field: keyof Flow, value: string) => began.filter(({ flow }) => flow[field] === value).length
  return { slots, began, take, of }
}

const flow = (workspace: number, person: number, host: number): Flow => ({
  workspace_id: `ws_${workspace}`,
  created_by: `user_${person}`,
  host: `h${host}.example`,
})

test('a workspace has a sixteenth of the slots, a person and a host an eighth each, and a host a quarter more for workspaces that have none there', async () => {
  const workspaces = scene(64)
  for (let n = 0; n < 10; n++) workspaces.take(flow(1, n, n))
  const people = scene(64)
  for (let n = 0; n < 20; n++) people.take(flow(n, 1, n))
  const hosts = scene(64)
  for (let n = 0; n < 20; n++) hosts.take(flow(n, n, 1))
  await settle()
  expect(workspaces.of('workspace_id', 'ws_1')).toBe(4)
  expect(workspaces.slots.full()).toEqual({ workspaces: ['ws_1'], people: [] })
  expect(people.of('created_by', 'user_1')).toBe(8)
  expect(people.slots.full()).toEqual({ workspaces: [], people: ['user_1'] })
  expect(hosts.of('host', 'h1.example')).toBe(10)
})

test('no more endpoints of one person wait than may hold a slot, and the holder of a slot learns that it is wanted', async () => {
  const { take, began } = scene(64)
  expect(take(flow(0, 1, 0))).toBe(true)
  await settle()
  expect(began[0]?.slot.isWanted()).toBe(false)
  expect(Array.from({ length: 9 }, (_, n) => take(flow(n, 1, 0)))).toEqual([
    ...Array(7).fill(true),
    false,
    false,
  ])
  expect(began[0]?.slot.isWanted()).toBe(true)
  await settle()
  began[0]?.slot.release()
  expect(take(flow(9, 1, 0))).toBe(true)
})

test('the next slot, also at a host that has no other, is for the workspace that has the fewest', async () => {
  const { take, began } = scene(64)
  // Three workspaces fill the host, two others its spare slots, and four more of the first three wait.
  for (const workspace of [0, 0, 0, 1, 1, 1, 2, 2, 7, 8, 0, 1, 2, 2, 9]) take(flow(workspace, workspace, 1))
  await settle()
  expect(began).toHaveLength(10)
  began[0]?.slot.release()
  await settle()
  expect(began[10]?.flow).toEqual(flow(9, 9, 1))
})

test('a workspace without a slot gets a spare one when all are taken', async () => {
  const { take, began } = scene(64)
  for (let n = 0; n < 128; n++) take(flow(n % 32, 100 + (n % 32), n % 32))
  await settle()
  expect(began).toHaveLength(64)
  take(flow(99, 99, 99))
  await settle()
  expect(began.at(-1)?.flow).toEqual(flow(99, 99, 99))
})

test('released slots leave nothing behind, and every endpoint gets one', async () => {
  const { slots, take, began } = scene(16)
  let asked = 0
  for (let n = 0; n < 60; n++) if (take(flow(n % 7, n % 5, n % 3))) asked++
  for (let at = 0; at < asked; at++) {
    await settle()
    began[at]?.slot.release()
  }
  expect(began).toHaveLength(asked)
  expect(slots.full()).toEqual({ workspaces: [], people: [] })
})
