/** The product with two gateways and two replicas of compute, and its clients. */
import { createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute'
import { joinProduct } from '@svc/testing/join-product'
import type { Product } from '@svc/testing/stack'
import { afterAll, beforeAll } from 'vitest'
import { type Client, newCluster, settingsClient } from './settings-client.ts'

export let stack: Product
/** One for each gateway. */
export let clients: Client[]
export let client: Client
/** What the cluster's agent counts. */
export let report: (cluster_id: string, machines: number) => Promise<{ machines: number }>

export function settingsScene() {
  let agent: Bus
  beforeAll(async () => {
    stack = await joinProduct()
    clients = stack.baseUrls.map(baseUrl => settingsClient(baseUrl, stack.dev.api_token))
    client = clients[0] as Client
    agent = await connectBus(stack.stack.bus('compute-agent'), { info() {}, warn() {}, error() {} })
    const call = createCall(agent)
    report = (cluster_id, machines) =>
      invoke(call, compute, 'report_machines', {
        caller: { kind: 'internal', id: 'agent' },
        body: { cluster_id, machines },
      })
  })
  afterAll(async () => {
    await agent?.close()
    await stack?.stop()
  })
}

/** A cluster that no other test knows, and its settings. */
export async function fresh() {
  const id = await newCluster(stack)
  const { body } = await client.get(id)
  return { id, etag: body.etag, settings: body }
}
