// A server whose records of TLS have no content, as tickets for sessions: no byte of an answer ever comes. In `npm test`: sender.test.ts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { writeCertificates } from '@svc/testing/certificates'
import { expect, onTestFinished, test } from 'vitest'
import { createSender } from '../src/sender.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasOpenssl)('tickets without end are no answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-outbound-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { ca } = await writeCertificates(folder, ['localhost'])
  const port = await freePort()
  const files = ['-cert', join(folder, 'tls.crt'), '-key', join(folder, 'tls.key')]
  const server = spawn('openssl', [
    's_server',
    '-accept',
    `127.0.0.1:${port}`,
    '-num_tickets',
    '100000000',
    ...files,
  ])
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await once(server, 'close')
  })
  let said = ''
  server.stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  await waitUntil('that it accepts', () => said.includes('ACCEPT'))
  const sender = createSender({ allowLoopback: true, ca })
  onTestFinished(() => sender.close())
  const sent = sender.send({ url: `https://localhost:${port}/`, headers: {}, body: '{}', timeoutMs: 600_000 })
  await expect(sent).rejects.toMatchObject({ code: 'protocol', message: 'The answer has more than 256 KiB.' })
})
