/** The product with two gateways and two replicas of compute, and its clients. */
import { connectAgent, type TestAgent } from '@svc/testing/stack/agent'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'
import { type Client, newCluster, settingsClient } from './settings-client.ts'

export let stack: Product
/** One for each gateway. */
export let clients: Client[]
export let client: Client
/** Reports a number of machines as the cluster's agent. */
export let report: (cluster_id: string, machines: number) => Promise<{ machines: number }>

export function settingsScene() {
  const agents = new Map<string, Promise<TestAgent>>()
  beforeAll(async () => {
    stack = await joinProduct()
    clients = stack.baseUrls.map(baseUrl => settingsClient(baseUrl, stack.dev.api_token))
    client = clients[0] as Client
    const { backoffice, dev } = stack
    report = async (id, machines) => {
      const { natsUrl } = stack.stack
      const agent =
        agents.get(id) ?? connectAgent({ natsUrl, backoffice }, { id, workspace: dev.workspace_id })
      agents.set(id, agent)
      return (await agent).report(machines)
    }
  })
  afterAll(async () => {
    for (const agent of agents.values()) await (await agent).bus.close()
    await stack?.stop()
  })
}

/** A cluster that no other test uses, and its settings. */
export async function fresh() {
  const id = await newCluster(stack)
  const { body } = await client.get(id)
  return { id, etag: body.etag, settings: body }
}
