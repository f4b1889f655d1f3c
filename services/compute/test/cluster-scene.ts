/** Clusters over HTTP, and installs that refer to them. */
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute'
import { ApiError } from '@svc/contract/errors'
import { newId } from '@svc/runtime/id'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { type TestStack, startTestStack } from '@svc/testing/stack'

export interface Reply {
  readonly status: number
  readonly body: Record<string, unknown> & { id: string; data: Reply['body'][] }
}
export type Send = (method: string, path: string, body?: object) => Promise<Reply>

export type ClusterScene = Awaited<ReturnType<typeof startClusterScene>>

export async function startClusterScene() {
  const stack = await startTestStack({ replicas: { compute: 2, offers: 2 }, env: { MAX_MACHINES: '7' } })
  const { dev, baseUrls, sql } = stack
  const gateway = await connectBus(stack.stack.bus('gateway'), { info() {}, warn() {}, error() {} })
  const call = createCall(gateway)
  const as =
    (credential: string, workspace?: string): Send =>
    async (method, path, body) => {
      const response = await fetch(`${baseUrls[0]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(workspace && { 'svc-context': workspace }),
        },
        body: body && JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : {} }
    }
  const person = (name: 'owner' | 'admin' | 'member') => as(dev[name].session_token, dev.workspace_id)
  const owner = person('owner')
  const { body: offer } = await as(dev.api_token)('POST', '/offers', { product_id: dev.product_id })

  return {
    stack,
    owner,
    admin: person('admin'),
    member: person('member'),
    token: as(dev.api_token),
    theirs: as(dev.other_api_token),
    stop: async () => {
      await gateway.close()
      await stack.stop()
    },
    async newCluster(name = 'test') {
      const { status, body } = await owner('POST', '/clusters', { name })
      if (status !== 201) throw new Error(`POST /clusters answered ${status}`)
      return body.id
    },
    installsOf: (cluster: string) => sql`select id from offers.installs where cluster_id = ${cluster}`,
    refer: (cluster: string) => refer(stack, offer.id, cluster),
    /** The reference first, the question afterwards: what is not found is taken back. */
    async install(cluster: string): Promise<boolean> {
      const id = await refer(stack, offer.id, cluster)
      try {
        await invoke(call, compute, 'get_compute_settings', {
          caller: { kind: 'internal', id: 'offers', workspace: dev.workspace_id },
          params: { id: cluster },
        })
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.tag !== 'ClusterNotFoundError') throw error
        await sql`delete from offers.installs where id = ${id}`
        return false
      }
    },
  }
}

async function refer({ sql, dev }: TestStack, offer: string, cluster: string): Promise<string> {
  const id = newId('inst')
  await sql`
    insert into offers.installs (id, workspace_id, offer_id, product_id, package_version_id, state, created_at, cluster_id)
    values (${id}, ${dev.workspace_id}, ${offer}, ${dev.product_id}, ${dev.package_version_id}, 'active', now(), ${cluster})`
  return id
}
