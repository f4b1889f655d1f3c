/** Clusters over HTTP, and installs that refer to them. */
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product, TestStack } from '@svc/testing/stack/stack'

export interface Reply {
  readonly status: number
  readonly body: Record<string, unknown> & { id: string; data: Reply['body'][] }
}
export type Send = (method: string, path: string, body?: object) => Promise<Reply>

export type ClusterScene = ReturnType<typeof clustersOn<TestStack>>
export type JoinedClusterScene = Awaited<ReturnType<typeof joinClusterScene>>

export const joinClusterScene = async () => clustersOn(await joinProduct())

export function clustersOn<P extends Product>(stack: P) {
  const { dev, baseUrls, sql } = stack
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
  const customer = as(dev.api_token)
  /** From a new offer each time, since a customer has one order at a time for an offer. */
  async function newOrder(by = customer): Promise<string> {
    const { body: offer } = await customer('POST', '/offers', {
      product_id: dev.product_id,
      allow_api_tokens: true,
    })
    const { status, body } = await by('POST', `/i/${offer.short_hash}/orders`)
    if (status !== 201) throw new Error(`the order was answered ${status}`)
    return body.id
  }

  return {
    stack,
    owner,
    admin: person('admin'),
    member: person('member'),
    token: as(dev.api_token),
    theirs: as(dev.other_api_token),
    stop: () => stack.stop(),
    async newCluster(name = 'test') {
      const { status, body } = await owner('POST', '/clusters', { name })
      if (status !== 201) throw new Error(`POST /clusters answered ${status}`)
      return body.id
    },
    installsOf: (cluster: string) => sql`select id from offers.installs where cluster_id = ${cluster}`,
    newOrder,
    /** The id of the install that the order starts in the cluster; null if there is no such cluster. */
    async install(cluster: string, order?: string): Promise<string | null> {
      const { status, body } = await customer('POST', `/orders/${order ?? (await newOrder())}/submit`, {
        cluster_id: cluster,
        field_values: { region: 'eu', company: 'Test' },
      })
      if (status === 200) return body.install_id as string
      if (status === 422 && JSON.stringify(body).includes('cluster_id')) return null
      throw new Error(`the submission was answered ${status} ${JSON.stringify(body)}`)
    },
  }
}
