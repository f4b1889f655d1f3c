/** An https server whose certificate is of an authority that nobody knows. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { writeCertificates } from './certificates.ts'

export interface TlsServer {
  readonly port: number
  readonly tls: { readonly cert: string; readonly key: string }
  /** The certificate of the authority, in PEM, and the file that has it. */
  readonly ca: string
  readonly caFile: string
  stop(): Promise<void>
}

/** @param names that the certificate is for */
export async function startTlsServer(names: string[], answer: RequestListener): Promise<TlsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tls-server-'))
  const { ca, cert, key } = await writeCertificates(folder, names)
  const server = createServer({ cert, key }, answer)
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    tls: { cert, key },
    ca,
    caFile: join(folder, 'ca.crt'),
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
