/** The receiver's process. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serveParent } from './child.ts'
import { createRecorder } from './load.ts'
import { paths } from './receiver.ts'

const delays = createRecorder()

const server = createServer((request, response) => {
  if (request.url === paths.silent) return
  if (request.url === paths.endless) return flood(request.socket)
  const id = String(request.headers['webhook-id'])
  request.resume().on('end', () => {
    delays.record(Date.now() - timeOf(id))
    response.writeHead(204).end()
  })
})

/** When something with this TypeID was made, in Unix ms: the first 48 bits of its UUID, which are its first ten characters. */
const timeOf = (id: string): number =>
  [...id.slice(id.lastIndexOf('_') + 1).slice(0, 10)].reduce(
    (time, character) => time * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(character),
    0,
  )

/** Until the other end has enough. */
function flood(socket: Socket) {
  const more = () => {
    while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
  }
  socket.on('drain', more)
  more()
}

serveParent({
  async listen() {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  mark: delays.mark,
})
