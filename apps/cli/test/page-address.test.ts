// The address of the pages, as the API names it: also where that is missing, broken or meant to do harm.
import { request as forward } from 'node:http'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { publicUrlOf } from '../src/page-address.ts'
import { cliScene, rowsOf } from './cli-scene.ts'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'

const metadataPath = '/.well-known/oauth-authorization-server'
const signal = new AbortController().signal
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function api(answer: (response: ServerResponse) => void) {
  const server = await serve((_, response) => answer(response))
  closing.push(server.close)
  return server.url
}
const naming = (issuer: unknown) => api(response => response.end(JSON.stringify({ issuer })))

test.each([
  ['https://shop.example.com', 'https://shop.example.com'],
  ['https://shop.example.com/', 'https://shop.example.com'],
  ['http://127.0.0.1:8443/a/', 'http://127.0.0.1:8443/a'],
])('%s is the root of the pages', async (issuer, root) => {
  expect(await publicUrlOf({ signal }, `${await naming(issuer)}/v1`)).toBe(root)
})

describe('without a usable issuer', () => {
  test.each([
    ['javascript:alert(1)'],
    ['file:///etc/passwd'],
    ['https://a:b@shop.example.com'],
    ['https://shop.example.com/?a'],
    ['https://shop.example.com/#a'],
    ['https://shop.example.com/\u001b[2J'],
    ['https://shop.example.com/\n'],
    ['https://shöp.example.com'],
    ['https://'],
    [''],
    [null],
    [7],
    [['https://shop.example.com']],
  ])('an unusable issuer, %j, leaves the root of the base URL', async issuer => {
    const url = await naming(issuer)
    expect(await publicUrlOf({ signal }, `${url}/v1`)).toBe(url)
  })

  const issuer = 'https://shop.example.com'
  test.each<[string, (response: ServerResponse) => void]>([
    ['404', response => response.writeHead(404).end(JSON.stringify({ issuer }))],
    ['a redirection', response => response.writeHead(302, { location: metadataPath }).end()],
    ['no JSON', response => response.end('<html>')],
    ['null', response => response.end('null')],
    ['1 MB', response => response.end(JSON.stringify({ issuer, more: 'x'.repeat(1 << 20) }))],
    ['a connection that breaks off', response => response.destroy()],
  ])('an unusable answer, %s, leaves the root of the base URL', async (_, answer) => {
    const url = await api(answer)
    expect(await publicUrlOf({ signal }, `${url}/v1`)).toBe(url)
  })

  test('an address where nothing listens leaves the root of the base URL', async () => {
    expect(await publicUrlOf({ signal }, 'http://127.0.0.1:9/v1')).toBe('http://127.0.0.1:9')
  })
})

test('waiting for it can be interrupted', async () => {
  const interrupted = new AbortController()
  const url = await api(() => interrupted.abort(new Error('interrupted')))
  await expect(publicUrlOf(interrupted, `${url}/v1`)).rejects.toThrow('interrupted')
})

describe('an API whose pages have another address', () => {
  const scene = cliScene()

  /** The gateway, with another PUBLIC_URL. */
  async function elsewhere() {
    const gateway = new URL(scene.dev.base_url)
    const asked: (string | undefined)[] = []
    const server = await serve((request, response) => {
      const { method, url: path, headers } = request
      asked.push(path)
      if (path === metadataPath) return response.end('{"issuer":"https://shop.example.com"}')
      const target = { host: gateway.hostname, port: gateway.port, method, path, headers }
      const passed = forward(target, answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(passed)
    })
    closing.push(server.close)
    return { asked, env: { ...scene.owner(), SVC_BASE_URL: server.url } }
  }

  test('create, get, list, revoke and open print that one', async () => {
    const { env } = await elsewhere()
    const created = await svc(['offers', 'create', '--product', scene.dev.product_id], env)
    const [[, id = ''] = [], [, hash = ''] = [], ...more] = rowsOf(created.out)
    const url = `https://shop.example.com/i/${hash}`
    expect(more).toEqual([['url', url]])
    expect((await svc(['offers', 'get', id], env)).out).toContain(`\nurl\t${url}\n`)
    expect(
      rowsOf((await svc(['offers', 'list'], env)).out)
        .find(([one]) => one === id)
        ?.at(-1),
    ).toBe(url)
    expect((await svc(['open', id], env)).out).toBe(`${url}\n`)
    expect((await svc(['offers', 'revoke', id, '--yes'], env)).out).toContain(`\nurl\t${url}\n`)
  })

  test('--json prints it beside the fields of the API', async () => {
    const { env } = await elsewhere()
    const json = async (...args: string[]) => JSON.parse((await svc([...args, '--json'], env)).out)
    const { id, short_hash, url, ...more } = await json('offers', 'create', '--product', scene.dev.product_id)
    expect([url, more]).toEqual([`https://shop.example.com/i/${short_hash}`, {}])
    expect(await json('offers', 'get', id)).toEqual({ ...(await scene.api(`/offers/${id}`)), url })
    const page = await scene.api('/offers?limit=1')
    expect(await json('offers', 'list', '--limit', '1')).toEqual({
      ...page,
      data: [{ ...page.data[0], url }],
    })
  })
})
