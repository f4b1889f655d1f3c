/** Requests of the workspace's owner that prepare a load or go on beside it. */
import type { Seed } from '../load/workloads.ts'
import type { ProductContestant } from './product-contestant.ts'

/** @returns sends one; resolves with the body of its answer */
export const ownerOf =
  ({ product }: Pick<ProductContestant, 'product'>, { owner_session, workspace_id }: Seed) =>
  async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${product.urls[0]}/v1${path}`, {
      method,
      signal: AbortSignal.timeout(15_000),
      headers: {
        authorization: `Bearer ${owner_session}`,
        'svc-context': workspace_id,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 500)}`)
    return text && JSON.parse(text)
  }
