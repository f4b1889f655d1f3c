/** One person whose endpoints never answer, or answer without end, and who has tests sent to them all the time. */
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { newId } from '@svc/runtime/id'
import { accessOf } from '@svc/testing/stack/nats-config'
import type { Cleanup } from '../cleanup.ts'
import { type Loop, startLoop } from '../load/loop.ts'
import { paths, type Receiver } from '../load/receiver.ts'
import type { Product } from './product.ts'

const workspaces = 20
/** As many as a workspace may have. */
const endpointsOfEach = 20
/** A host has 32 slots, and an attempt without an answer takes ten seconds: this is over ten times what is sent. */
const testsPerSecond = 50

/** @param product which has the user `tests`. The abuser has a host of its own. */
export async function webhookAbuser(
  { stack }: Product,
  { url }: Receiver,
  cleanup: Cleanup,
): Promise<() => Loop> {
  const bus = await connectBus(accessOf(stack.bus)('tests'), { info() {}, warn() {}, error() {} })
  cleanup.add(() => bus.close())
  const call = createCall(bus)
  const inWorkspace = (workspace: string) => ({
    caller: { kind: 'session', id: 'sess_abuser', user: 'user_abuser', role: 'owner', workspace } as const,
  })
  const host = url.replace('127.0.0.1', 'localhost')
  const tests: (() => Promise<unknown>)[] = []
  for (let number = 0; number < workspaces; number++) {
    const by = inWorkspace(newId('ws'))
    for (let each = 0; each < endpointsOfEach; each++) {
      const target = host + (each % 2 === 0 ? paths.silent : paths.endless)
      const body = { url: target, event_types: ['offers.*'] }
      const { id } = await invoke(call, activity, 'create_webhook_endpoint', { ...by, body })
      tests.push(() => invoke(call, activity, 'create_test_delivery', { ...by, params: { id } }))
    }
  }
  let next = 0
  return () =>
    startLoop({
      lanes: 4,
      perSecond: testsPerSecond,
      what: 'tests',
      act: async () => tests[next++ % tests.length]?.(),
    })
}
