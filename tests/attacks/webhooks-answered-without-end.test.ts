// A receiver that sends without end, as `103 Early Hints`: five such endpoints took 87 % of a core, others waited 3 to 8 s instead of 40 ms,
// and the API of the service 5 s. Only the bytes of the body were counted.
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { freePort } from '@svc/local/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDelivery } from '../../services/activity/src/deliveries/create-test-delivery.ts'
import {
  admin,
  deps,
  eventually,
  inWorkspace,
  newEndpoint,
  startReplica,
  useDeliveries,
} from '../../services/activity/test/deliveries/delivery-scene.ts'

useDeliveries()

/** Sends `rest` over and over, as fast as it is taken. */
async function startEndless(beginning: string, rest: string) {
  let open = 0
  const server = createServer(socket => {
    open++
    socket.on('error', () => {}).on('close', () => open--)
    socket.once('data', () => flood(socket))
  })
  const flood = (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(rest));
    }
    socket.on('drain', more)
    socket.write(beginning)
    more()
  }
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}/`, open: () => open }
}

const ok = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const long = `X-Long: ${'x'.repeat(1000)}\r\n`

test.each([
  ['103 Early Hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', /3 interim answers/],
  ['100 Continue', '', 'HTTP/1.1 100 Continue\r\n\r\n', /3 interim answers/],
  [
    '102 Processing with headers',
    '',
    `HTTP/1.1 102 Processing\r\n${long.repeat(12)}\r\n`,
    /3 interim answers/,
  ],
  ['headers', 'HTTP/1.1 200 OK\r\n', long, /HPE_HEADER_OVERFLOW/],
  ['a body', ok, `400\r\n${'x'.repeat(0x400)}\r\n`, null],
  ['trailers', `${ok}0\r\n`, long, /HTTP/],
])('an endpoint that sends %s without end has one short attempt', async (_, beginning, rest, error) => {
  const { url, open } = await startEndless(beginning, rest)
  const { id, workspace } = await newEndpoint(url)
  // However long it takes: what ends it is not its time.
  const replica = startReplica({ around: send => outgoing => send({ ...outgoing, timeoutMs: 600_000 }) })
  await createTestDelivery({ params: { id } } as never, inWorkspace(workspace), deps())
  await eventually(replica, 'its end', async () => {
    const [row] = await admin`select asked_at from webhook_deliveries where endpoint_id = ${id}`
    return row?.asked_at === null
  })
  const [row] = await admin`select attempts from webhook_deliveries where endpoint_id = ${id}`
  expect(row?.attempts).toEqual([
    expect.objectContaining({ error: error === null ? null : expect.stringMatching(error) }),
  ])
  await eventually(replica, 'no connection', () => open() === 0)
})
