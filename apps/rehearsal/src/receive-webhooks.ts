/**
 * A receiver of webhooks, on the loopback of a host that sends them: other addresses of the rehearsal's network are not public. A line
 * on standard output for each, written before the answer; times are of one clock for all hosts.
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const port = Number(process.argv[2])

createServer(async (request, response) => {
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return
  const { id, aggregate_id, sequence } = JSON.parse(body)
  process.stdout.write(
    `${JSON.stringify({ id, aggregate_id, sequence, at: performance.timeOrigin + performance.now() })}\n`,
  )
  response.writeHead(204).end()
}).listen(port, '127.0.0.1', () => process.stdout.write('{}\n'))
