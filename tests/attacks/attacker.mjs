// A separate program, like an attacker's: sends requests over many connections until its input ends, and then reports
// how they were answered. Its argument is JSON: see attacker.ts.
import { connect } from 'node:net'
import { setPriority } from 'node:os'

const { port, from, connections, requests, perSecond, priority } = JSON.parse(process.argv[2])
if (priority) setPriority(priority)
const statuses = {}
const latencies = []
let sent = 0
let going = true
let began = 0
let first = 0
let last = 0
const sockets = []

function open() {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  let tail = ''
  socket.free = false
  socket.setNoDelay(true)
  socket.once('connect', () => {
    socket.free = true
    if (!perSecond) next(socket)
  })
  socket.on('data', chunk => {
    const text = tail + chunk.toString('latin1')
    tail = text.slice(-11)
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      last = Date.now()
      first ||= last
      statuses[status] = (statuses[status] ?? 0) + 1
      tail = ''
      if (socket.sentAt) latencies.push(performance.now() - socket.sentAt)
      socket.free = true
      if (!perSecond) next(socket)
    }
  })
  socket.once('error', () => {})
  socket.once('close', () => {
    sockets.splice(sockets.indexOf(socket), 1)
    if (going) setTimeout(open, 20)
  })
  sockets.push(socket)
}

function next(socket) {
  if (!going) return
  began ||= Date.now()
  const request = requests[sent++ % requests.length].replace('{number}', String(sent).padStart(8, '0'))
  socket.free = false
  socket.sentAt = performance.now()
  socket.write(request)
}

for (let at = 0; at < connections; at++) open()
if (perSecond) {
  let due = 0
  let turn = 0
  let lastDue = performance.now()
  setInterval(() => {
    const now = performance.now()
    due = Math.min(due + ((now - lastDue) * perSecond) / 1000, perSecond)
    lastDue = now
    for (; due >= 1 && going; due--) {
      // Whether earlier ones are answered or not, as pipelining allows.
      const socket = sockets[turn++ % sockets.length]
      if (socket?.writable && !socket.connecting && socket.writableLength < 65_536) next(socket)
    }
  }, 2)
}
process.stdin.resume()
process.stdin.once('end', () => {
  going = false
  latencies.sort((a, b) => a - b)
  process.stdout.write(
    `${JSON.stringify({ sent, statuses, began, first, last, p50: latencies[Math.floor(latencies.length / 2)] ?? 0 })}\n`,
    () => process.exit(0),
  )
})
