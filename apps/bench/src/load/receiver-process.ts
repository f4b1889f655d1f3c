/** A receiver of webhooks in a process of its own, so that its CPU is counted separately. */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { paths, type ReceiverSays } from './receiver.ts'
import { timeOfId } from './time-of-id.ts'

const delays = createHistogram()
let markedAt = performance.now()

const server = createServer((request, response) => {
  if (request.url === paths.silent) return
  if (request.url === paths.endless) return flood(request.socket)
  const id = String(request.headers['webhook-id'])
  request.resume().on('end', () => {
    delays.record(Math.max(1, Date.now() - timeOfId(id)))
    response.writeHead(204).end()
  })
})
/** Until the other end has enough. */
function flood(socket: Socket) {
  const more = () => {
    while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
  }
  socket.on('drain', more)
  more()
}
const say = (message: ReceiverSays) => process.send?.(message)

process.on('message', () => {
  const now = performance.now()
  const deliveries = delays.count
  const [p50_ms, p99_ms] = [delays.percentile(50), delays.percentile(99)]
  say({ is: 'mark', arrived: { ms: now - markedAt, deliveries, p50_ms, p99_ms } })
  markedAt = now
  delays.reset()
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) say({ is: 'ready', port: address.port })
})
