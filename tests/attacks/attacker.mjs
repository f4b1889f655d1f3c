// A separate program, like an attacker's: sends requests over many connections until its input ends, and then reports
// how they were answered. Its argument is JSON: see attacker.ts.
import { connect } from 'node:net'
import { setPriority } from 'node:os'

const { port, connections, request, priority } = JSON.parse(process.argv[2])
setPriority(priority)
const statuses = {}
let sent = 0
let answered = 0
let going = true

function open() {
  const socket = connect({ host: '127.0.0.1', port })
  let tail = ''
  socket.setNoDelay(true)
  socket.once('connect', () => next(socket))
  socket.on('data', chunk => {
    const text = tail + chunk.toString('latin1')
    tail = text.slice(-11)
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      statuses[status] = (statuses[status] ?? 0) + 1
      tail = ''
      if (++answered === connections) process.stdout.write('under way\n')
      next(socket)
    }
  })
  socket.once('error', () => {})
  socket.once('close', () => {
    if (going) setTimeout(open, 20)
  })
}

function next(socket) {
  if (going) socket.write(request.replace('{number}', String(++sent).padStart(8, '0')))
}

for (let at = 0; at < connections; at++) open()
process.stdin.resume()
process.stdin.once('end', () => {
  going = false
  process.stdout.write(`${JSON.stringify(statuses)}\n`, () => process.exit(0))
})
