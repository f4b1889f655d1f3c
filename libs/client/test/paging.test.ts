import { expect, expectTypeOf, test } from 'vitest'
import { items, pages } from '../src/paging.ts'
import { clientOf, json, refusal, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

let server: ScriptedServer | undefined

const page = (ids: string[], next_cursor: string | null) =>
  json(200, { data: ids.map(id => ({ id })), next_cursor })

async function scene() {
  server = await startScriptedServer(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null))
  const { received } = server
  const list = clientOf(server)['auth-tokens'].list_api_tokens
  return { list, urls: () => received.map(({ url }) => url) }
}

test('items are those of all pages, an empty one among them', async () => {
  const { list, urls } = await scene()
  const ids: string[] = []
  for await (const token of items(list, { query: { limit: 2 } })) {
    expectTypeOf(token.hint).toEqualTypeOf<string>()
    ids.push(token.id)
  }
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(urls()).toEqual([
    '/v1/api_tokens?limit=2',
    '/v1/api_tokens?limit=2&cursor=c1',
    '/v1/api_tokens?limit=2&cursor=c2',
  ])
})

test('pages are the bodies of the answers', async () => {
  const { list } = await scene()
  const cursors: (string | null)[] = []
  for await (const { data, next_cursor } of pages(list)) {
    expectTypeOf(data[0]?.name).toEqualTypeOf<string | undefined>()
    cursors.push(next_cursor)
  }
  expect(cursors).toEqual(['c1', 'c2', null])
})

test('only pages that are needed are fetched', async () => {
  const { list, urls } = await scene()
  const tokens = items(list, { query: { cursor: 'c0' } })
  expect(urls()).toEqual([])
  for await (const { id } of tokens) if (id === 'b') break
  expect(urls()).toEqual(['/v1/api_tokens?cursor=c0'])
})

test('a page that fails temporarily is fetched again, and a refused one ends the iteration', async () => {
  const busy = refusal(503, 'Unavailable', 50301, { 'retry-after': '1' })
  const invalid = refusal(400, 'Validation', 40004)
  server = await startScriptedServer(page(['a'], 'c1'), busy, page(['b'], 'c2'), invalid)
  const ids: string[] = []
  const reading = async () => {
    if (!server) return
    for await (const { id } of items(clientOf(server)['auth-tokens'].list_api_tokens)) ids.push(id)
  }
  await expect(reading()).rejects.toMatchObject({ tag: 'Validation' })
  expect(ids).toEqual(['a', 'b'])
})

test('options apply to the call of every page, above all the signal', async () => {
  const { list, urls } = await scene()
  const controller = new AbortController()
  const reading = async () => {
    for await (const _ of pages(list, {}, { signal: controller.signal }))
      controller.abort(new Error('enough'))
  }
  await expect(reading()).rejects.toThrow('enough')
  expect(urls()).toHaveLength(1)
})

test('only lists are accepted, with their arguments', async () => {
  const { list } = await scene()
  const client = clientOf(server as ScriptedServer)
  // @ts-expect-error settings are no list
  items(client.compute.get_compute_settings, { params: { id: 'clus_a' } })
  // @ts-expect-error members are those of a workspace
  items(client['auth-tokens'].list_members)
  // @ts-expect-error there is no such parameter
  items(list, { query: { limt: 1 } })
  expect(server?.received).toEqual([])
})
