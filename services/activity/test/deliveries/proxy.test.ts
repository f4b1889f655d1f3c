// Through the operator's proxy, to a receiver that only the proxy finds. A whole product: webhooks-proxy.all.test.ts.
import { startForwardProxy } from '@svc/testing/forward-proxy'
import { http, name, tlsServers } from '@svc/testing/tls-servers'
import { waitUntil } from '@svc/local/wait-until'
import { expect, onTestFinished, test } from 'vitest'
import {
  admin,
  atRest,
  endpointRow,
  eventually,
  faultsOf,
  happen,
  newEndpoint,
  ports,
  startReplica,
  useDeliveries,
} from './delivery-scene.ts'

useDeliveries()

async function startSecureReceiver() {
  const servers = tlsServers()
  onTestFinished(servers.close)
  const { port, requests } = await servers.start(socket => socket.write(http('204 No Content')))
  ports.push(port)
  return { ca: servers.ca, requests, host: `${name}:${port}` }
}

const deliveriesOf = (id: string) => admin`
  select event_id, state from webhook_deliveries where endpoint_id = ${id}`

test('deliveries arrive through the proxy', async () => {
  const proxy = await startForwardProxy({ credentials: 'svc:secret' })
  onTestFinished(proxy.stop)
  const { ca, requests, host } = await startSecureReceiver()
  const { id, workspace } = await newEndpoint(`https://${host}/hook`)
  const replica = startReplica({ sender: { ca, proxy: `http://svc:secret@127.0.0.1:${proxy.port}` } })
  const events = await happen(workspace, ['order_1', 'order_1'])
  await atRest(replica, id)
  expect(requests.map(text => /^webhook-id: (.+)$/im.exec(text)?.[1])).toEqual(events.map(({ id }) => id))
  expect(proxy.asked).toEqual([`CONNECT ${host}`])
})

test('a proxy that refuses us fails no delivery: all wait, and the log says why', async () => {
  const proxy = await startForwardProxy({ credentials: 'svc:secret' })
  onTestFinished(proxy.stop)
  const { ca, requests, host } = await startSecureReceiver()
  const { id, workspace } = await newEndpoint(`https://${host}/hook`)
  const at = `127.0.0.1:${proxy.port}`
  const refused = startReplica({ sender: { ca, proxy: `http://svc:old@${at}` } })
  await happen(workspace, ['order_1'])
  await waitUntil('the fault', () => {
    refused.wake()
    return faultsOf().length > 0
  })
  await refused.stop()
  expect(faultsOf()).toMatchObject([
    { message: `The proxy http://${at} answers 407: it wants other credentials.` },
  ])
  expect(await endpointRow(id)).toMatchObject({ failing_since: null })
  expect([...(await deliveriesOf(id))]).toMatchObject([{ state: 'pending' }])
  faultsOf().length = 0
  // The time until somebody else may try.
  await admin`update webhook_endpoints set held_until = now(), due_at = now() where id = ${id}`
  const replica = startReplica({ sender: { ca, proxy: `http://svc:secret@${at}` } })
  await eventually(replica, 'it', () => requests.length === 1)
})
