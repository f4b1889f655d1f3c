// The product with WEBHOOKS_PROXY. In `npm test`: deliveries/proxy.test.ts.
import { createClient } from '@svc/client'
import { waitUntil } from '@svc/local/wait-until'
import { startForwardProxy } from '@svc/testing/forward-proxy'
import { startTestStack } from '@svc/testing/stack/stack'
import { http, name, tlsServers } from '@svc/testing/tls-servers'
import { expect, onTestFinished, test } from 'vitest'

test('webhooks go through WEBHOOKS_PROXY to a receiver whose authority NODE_EXTRA_CA_CERTS names, and nothing else does', async () => {
  const servers = tlsServers()
  onTestFinished(servers.close)
  const { url, port, requests } = await servers.start(socket => socket.write(http('204 No Content')))
  const proxy = await startForwardProxy({ credentials: 'svc:secret' })
  onTestFinished(proxy.stop)
  const running = await startTestStack({
    env: {
      WEBHOOKS_PROXY: `http://svc:secret@127.0.0.1:${proxy.port}`,
      WEBHOOKS_PORTS: String(port),
      NODE_EXTRA_CA_CERTS: servers.caFile,
    },
  })
  onTestFinished(() => running.stop())
  const { dev } = running
  const client = createClient({
    baseUrl: dev.base_url,
    token: dev.owner.session_token,
    workspace: dev.workspace_id,
  })
  const { body } = await client.webhookEndpoints.create({ body: { url, event_types: ['offers.*'] } })
  await client.offers.create({ body: { product_id: dev.product_id } })
  await waitUntil('the webhook', () => requests.length > 0)
  expect(proxy.asked).toEqual([`CONNECT ${name}:${port}`])
  const inside = client.webhookEndpoints.update({
    params: { id: body.id },
    body: { url: 'https://10.0.0.1/' },
  })
  await expect(inside).rejects.toMatchObject({ status: 422 })
})
