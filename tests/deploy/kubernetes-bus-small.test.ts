/** The bus of the overlay `small`, run as its pod runs it, with the certificate that make-bus-certificate.sh makes. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectBus } from '@svc/bus/connection'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { natsUsers } from '@svc/local/secrets'
import { findNatsServer } from '@svc/local/servers/embedded-nats'
import { waitUntil } from '@svc/local/wait-until'
import { kubectl, objectsOf, podsOf, secretsOf } from '@svc/testing/deploy/kubernetes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const silent = { info() {}, warn() {}, error() {} }
const script = join(repoRoot, 'deploy/kubernetes/make-bus-certificate.sh')
const hasOpenssl = await promisify(execFile)('openssl', ['version']).then(
  () => true,
  () => false,
)

describe.skipIf(!hasOpenssl)('make-bus-certificate.sh', () => {
  test('prints a Secret with a certificate for the servers, and the authority that signed it', () => {
    const { metadata, type, data } = parse(
      execFileSync('sh', [script, 'nats-0.nats', 'nats'], { encoding: 'utf8' }),
    )
    expect({ name: metadata.name, type }).toEqual({ name: 'nats-tls', type: 'kubernetes.io/tls' })
    const [ca, own] = ['ca.crt', 'tls.crt'].map(
      name => new X509Certificate(Buffer.from(data[name], 'base64')),
    ) as [X509Certificate, X509Certificate]
    expect(own.subjectAltName).toBe('DNS:nats-0.nats, DNS:nats')
    expect(own.verify(ca.publicKey)).toBe(true)
    expect([ca.ca, own.ca]).toEqual([true, false])
    // For server and client: the servers of a cluster are both.
    expect(own.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  })

  test('asks for names', () => {
    expect(() => execFileSync('sh', [script], { stdio: 'pipe' })).toThrow('Name the servers')
  })
})

describe.skipIf(!kubectl || !hasOpenssl)('the bus of small', () => {
  let folder: string
  let url: string
  let stop: () => Promise<void>
  const secrets = kubectl ? secretsOf('small') : new Map<string, Record<string, string>>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-kubernetes-bus-'))
    const objects = await objectsOf('small')
    const { spec } = podsOf(objects).find(({ name }) => name === 'nats') ?? {}
    const { data } = parse(execFileSync('sh', [script, 'localhost'], { encoding: 'utf8' }))
    for (const sub of ['etc/nats', 'etc/nats-tls', 'data'])
      await mkdir(join(folder, sub), { recursive: true })
    for (const [name, content] of Object.entries<string>(data))
      await writeFile(join(folder, 'etc/nats-tls', name), Buffer.from(content, 'base64'))
    const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && /^nats-\w+$/.test(metadata.name))
    await writeFile(join(folder, 'etc/nats/nats.conf'), map?.data['nats.conf'])

    const port = await freePort()
    url = `nats://localhost:${port}`
    const [, ...args] = (spec.containers[0].command as string[])
      .filter(arg => !arg.startsWith('--http_port'))
      .map(arg => arg.replace(/=(\/(?:etc|data).*)/, (_, path: string) => `=${join(folder, path)}`))
    const child = spawn(await findNatsServer(), [...args, '--addr=127.0.0.1', `--port=${port}`], {
      env: { ...secrets.get('nats') },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    stop = async () => {
      child.kill('SIGTERM')
      await exited
    }
    await waitUntil('the server', () =>
      connect('monitor').then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    await stop?.()
    await rm(folder, { recursive: true })
  })

  async function connect(user: string, NATS_TLS_CA_FILE?: string) {
    const secret = secrets.get(user === 'backoffice' ? 'admin' : user)
    const bus = await connectBus(
      {
        NATS_URL: url,
        NATS_USER: user,
        NATS_PASSWORD: secret?.NATS_PASSWORD ?? '',
        NATS_TLS_CA_FILE: NATS_TLS_CA_FILE ?? join(folder, 'etc/nats-tls/ca.crt'),
      },
      silent,
    )
    const { info } = bus.nc
    await bus.close()
    return info
  }

  test.each(natsUsers)('%s connects with its password, over TLS', async user => {
    expect(await connect(user)).toMatchObject({ tls_required: true, jetstream: true })
  })

  test('nobody connects whose authority is another one', async () => {
    const other = join(folder, 'other.crt')
    const { data } = parse(execFileSync('sh', [script, 'localhost'], { encoding: 'utf8' }))
    await writeFile(other, Buffer.from(data['ca.crt'], 'base64'))
    await expect(connect('monitor', other)).rejects.toThrow(/self-signed|signature|unable to verify/i)
  })
})
