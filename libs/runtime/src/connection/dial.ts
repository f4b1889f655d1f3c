import { once } from 'node:events'
import { type Socket, connect, isIP } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Encryption, Host } from './connection-string.ts'

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** The server can be reached, but not encrypted. */
export class EncryptionFailed extends Error {}

/**
 * @param limitMs for all steps together
 * @throws EncryptionFailed, or the system's error if nobody listens
 */
export async function dial(
  host: Host,
  encryption: Encryption,
  tls: ConnectionOptions,
  limitMs: number,
): Promise<Socket> {
  const socket = host.path ? connect(host.path) : connect(host.port, host.name)
  const late = setTimeout(() => socket.destroy(new Error('no connection in time')), limitMs)
  // Anything written between the server's FIN and the close of the socket would be lost.
  socket.once('end', () => socket.destroy(new Error('The server closed the connection.')))
  // Errors may still come after the last listener is gone.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    return encryption === 'none' ? socket : await encrypt(socket, host, encryption, tls)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(late)
  }
}

async function encrypt(socket: Socket, { name }: Host, encryption: Encryption, tls: ConnectionOptions) {
  socket.write(sslRequest)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  // Anything after the first byte would come from someone else (CVE-2021-23222).
  const answer = bytes.toString('latin1')
  if (answer === 'N' && encryption === 'offered') return socket
  if (answer === 'N')
    throw new EncryptionFailed(`The database at ${name} has no TLS (its setting "ssl" is off).`)
  if (answer !== 'S') throw new Error(`What listens at ${name} does not answer as PostgreSQL.`)
  try {
    // The name is not resolved again: the certificate has to match it.
    const servername = isIP(name) ? {} : { servername: name }
    const encrypted = connectTls({ ...tls, ...servername, socket, host: name })
    encrypted.once('end', () => encrypted.destroy(new Error('The server closed the connection.')))
    encrypted.on('error', () => {})
    await once(encrypted, 'secureConnect')
    return encrypted
  } catch (error) {
    throw new EncryptionFailed(`No TLS with the database at ${name}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
