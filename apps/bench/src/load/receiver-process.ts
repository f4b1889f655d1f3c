/** A receiver of webhooks in a process of its own, so that its CPU is counted separately. */
import { createServer } from 'node:http'
import { createHistogram } from 'node:perf_hooks'
import { timeOfId } from './time-of-id.ts'

/** What arrived since the previous mark. */
export interface Arrived {
  readonly ms: number
  readonly deliveries: number
  /** From the change to the arrival of its event. */
  readonly p50_ms: number
  readonly p99_ms: number
}
export type ReceiverSays = { is: 'ready'; port: number } | { is: 'mark'; arrived: Arrived }

const delays = createHistogram()
let markedAt = performance.now()

const server = createServer((request, response) => {
  const id = String(request.headers['webhook-id'])
  request.resume().on('end', () => {
    delays.record(Math.max(1, Date.now() - timeOfId(id)))
    response.writeHead(204).end()
  })
})
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
