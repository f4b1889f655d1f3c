// The built package as it is, unbundled, in a real browser.

import { readFile } from 'node:fs/promises'
import { createServer, request as forward, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { startBrowser, type TestBrowser } from '@svc/testing/browser'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'

let stack: Product
let browser: TestBrowser
let server: Server
let origin: string
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([joinProduct(), startBrowser()])
  server = sameOrigin(stack.stack.gateways[0]?.url ?? '')
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await browser?.close()
  await stack?.stop()
})

test('in Chromium calls succeed, are refused, list pages and are retried', async () => {
  const page = await browser.browser.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  await page.goto(origin)
  const { api_token: token, product_id, cluster_id } = stack.dev
  let cut = 0
  // The first attempt gets no answer.
  await page.route('**/v1/offers', route => (cut++ === 0 ? route.abort('connectionreset') : route.continue()))
  const outcome = await page.evaluate(`(async () => {
    const svc = await import('@svc/client')
    const client = svc.createClient({ baseUrl: location.origin + '/v1', token: ${JSON.stringify(token)} })
    const created = await client.offers.create_offer({ body: { product_id: ${JSON.stringify(product_id)} } })
    const refused = await client.offers.create_offer({ body: { product_id: '' } }).catch(error => error)
    const names = []
    for await (const { name } of svc.items(client['auth-tokens'].list_api_tokens)) names.push(name)
    const settings = await svc.changeComputeSettings(
      client, ${JSON.stringify(cluster_id)}, () => ({ max_machines: 11 }))
    const aborted = await client.offers.list_installs({}, { signal: AbortSignal.abort('enough') }).catch(x => x)
    const late = await client.offers.list_installs({}, { timeoutMs: 0 }).catch(error => error)
    return {
      created: created.status,
      id: created.body.id,
      refused: [refused instanceof svc.ValidationError, refused.name, refused.errors[0].path],
      requestId: refused.requestId,
      names,
      max_machines: settings.max_machines,
      aborted,
      late: late instanceof svc.DeadlineExceededError,
    }
  })()`)
  expect(outcome).toEqual({
    created: 201,
    id: expect.stringMatching(/^offer_/),
    refused: [true, 'ValidationError', ['product_id']],
    requestId: expect.stringMatching(/^req_/),
    names: ['demo'],
    max_machines: 11,
    aborted: 'enough',
    late: true,
  })
  // One that was cut off, its retry, and the refused one.
  expect(cut).toBe(3)
  expect(problems).toEqual([])
})

const packages: Record<string, string> = {
  client: join(repoRoot, 'libs/client/dist'),
  contract: join(repoRoot, 'libs/contract/dist'),
  zod: join(repoRoot, 'node_modules/zod'),
}

const importMap = {
  imports: { '@svc/client': '/client/index.js', '@svc/contract/': '/contract/', zod: '/zod/index.js' },
}
const html = `<!doctype html><script type="importmap">${JSON.stringify(importMap)}</script>`

/** Serves a page, the modules, and under /v1 the API, which sends no CORS headers and so has to be on the same origin. */
function sameOrigin(gateway: string): Server {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/v1/')) {
      const { method = 'GET', headers, url } = request
      const upstream = forward(gateway + url, { method, headers }, answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      upstream.on('error', () => response.destroy())
      request.pipe(upstream)
      return
    }
    if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
      return
    }
    const [, name = '', ...path] = pathname.split('/')
    const file = join(packages[name] ?? '', ...path)
    const script = await readFile(extname(file) === '.js' ? file : `${file}.js`).catch(() => undefined)
    response.writeHead(script ? 200 : 404, { 'content-type': 'text/javascript' }).end(script)
  })
}
