// The catalogue and offers over HTTP, used with a workspace's API token.
import type { ErrorEntry } from '@svc/contract/core/errors'
import type { Product } from '@svc/testing/stack/stack'
import { withRoom } from './http.ts'

export type Reply = {
  status: number
  body: Record<string, unknown> & { id: string; data: Item[]; next_cursor: string | null }
}
export type Item = Record<string, unknown> & { id: string }
export type Send = (method: string, path: string, body?: object) => Promise<Reply>

export type HttpScene<Running extends Product = Product> = Awaited<ReturnType<typeof startHttpScene<Running>>>

export async function startHttpScene<Running extends Product>(start: () => Promise<Running>) {
  const stack = await start()
  const { dev, baseUrls } = stack
  const as =
    (credential: string, headers: Record<string, string> = {}): Send =>
    (method, path, body) =>
      withRoom(async () => {
        const response = await fetch(`${baseUrls[0]}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${credential}`,
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          body: body && JSON.stringify(body),
        })
        const text = await response.text()
        return { status: response.status, body: text ? JSON.parse(text) : {} }
      })
  const own = as(dev.api_token)
  return {
    stack,
    own,
    /** Sends for the other workspace. */
    theirs: as(dev.other_api_token),
    owner: as(dev.owner.session_token, { 'svc-context': dev.workspace_id }),
    as,
    stop: () => stack.stop(),
  }
}

export const statusAndProblems = ({ status, body }: Reply) => [
  status,
  ...((body.errors as ErrorEntry[]) ?? []).map(({ code, path = [] }) =>
    path.length > 0 ? `${code} ${path.join('.')}` : `${code}`,
  ),
]

/** All pages of a list. */
export async function readAll(send: Send, path: string, limit = 2): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const search = new URLSearchParams({ limit: `${limit}`, ...(cursor && { cursor }) })
    const { status, body }: Reply = await send('GET', `${path}${path.includes('?') ? '&' : '?'}${search}`)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
    found.push(...body.data)
    cursor = body.next_cursor
  }
  return found
}

/** Creates it and returns its id. */
export async function made(send: Send, path: string, body: object): Promise<string> {
  const reply = await send('POST', path, body)
  if (reply.status !== 201)
    throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body.id
}

export const schema = { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } } }

/** A package with one version, and a product pinned to that version. */
export async function newProduct(send: Send) {
  const package_id = await made(send, '/packages', { name: 'Package' })
  const body = { version: '1.0.0', input_schema: schema }
  const version_id = await made(send, `/packages/${package_id}/versions`, body)
  const product_id = await made(send, '/products', {
    name: 'Product',
    package_id,
    current_package_version_id: version_id,
  })
  return { package_id, version_id, product_id }
}
