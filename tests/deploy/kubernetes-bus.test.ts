/** The bus of the overlay `production`, run from its configuration: three servers, TLS, an nkey for every user. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerCallouts } from '@svc/bus/auth-callout'
import { type Bus, connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events/events'
import { newNkey } from '@svc/bus/nkey'
import { scaled } from '@svc/contract/core/deadline-scale'
import { startNats } from '@svc/local/servers/embedded-nats'
import { freePort } from '@svc/local/free-port'
import { superviseProcess } from '@svc/local/processes/processes'
import { repoRoot } from '@svc/local/repo-root'
import { natsUsers } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { createAdminHere } from '@svc/testing/stack/admin-here'
import { writeCertificates } from '@svc/testing/certificates'
import { createTestDatabase } from '@svc/testing/database'
import { envOf, kubectl, type Manifest, objectsOf, podsOf, secretsOf } from '@svc/testing/deploy/kubernetes'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const silent = { info() {}, warn() {}, error() {} }

describe.skipIf(!kubectl)('the bus of production', () => {
  let folder: string
  let servers: ServerHandle[] = []
  let objects: Manifest[]
  let secrets: Map<string, Record<string, string>>
  const buses: Bus[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-kubernetes-bus-'))
    objects = await objectsOf('production')
    secrets = secretsOf('production')
    await writeCertificates(folder, ['localhost'])
    const ports = await Promise.all([0, 1, 2].map(() => freePort()))
    servers = await Promise.all(ports.map((_, pod) => startPod(pod, ports)))
    // Agents are authenticated by compute, which does not know any here.
    const seed = secrets.get('compute')?.AGENT_ISSUER_SEED ?? ''
    answerCallouts(await connect('compute'), { seed, admit: async () => undefined, log: silent })
  })

  afterAll(async () => {
    await Promise.all(buses.map(bus => bus.close()))
    await Promise.all(servers.map(server => server.stop()))
    await rm(folder, { recursive: true })
  })

  function specOf(kind: string, name: string) {
    const pod = podsOf(objects).find(({ owner }) => owner.kind === kind && owner.metadata.name === name)
    if (!pod) throw new Error(`There is no ${kind} ${name}.`)
    return pod.spec
  }

  /** What the pod does, with its folders inside one of ours, and its addresses as ports of this machine. */
  async function startPod(pod: number, routes: number[]): Promise<ServerHandle> {
    const own = join(folder, `nats-${pod}`)
    const { initContainers, volumes } = specOf('StatefulSet', 'nats')
    const place = (text: string) => text.replaceAll(/\/(etc\/nats|run\/nats)/g, `${own}/$1`)
    const mounts: { name: string; mountPath: string }[] = initContainers[0].volumeMounts
    for (const { name, mountPath } of mounts) {
      await mkdir(place(mountPath), { recursive: true })
      const map = volumes.find((volume: Manifest) => volume.name === name)?.configMap?.name
      const data: Record<string, string> =
        objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === map)?.data ?? {}
      for (const [file, text] of Object.entries(data)) {
        // Our path may contain a space.
        const local = place(text.replaceAll(/(?<=: )\/\S+/g, '"$&"'))
          .replaceAll(`${own}/etc/nats-tls`, folder)
          .replaceAll('/data', join(own, 'data'))
          .replaceAll(/nats:\/\/nats-(\d)\.nats:6222/g, (_, n) => `nats://localhost:${routes[Number(n)]}`)
          .replace('port: 6222', `host: "127.0.0.1", port: ${routes[pod]}`)
          .replace('http: 8222', '')
        await writeFile(join(place(mountPath), file), local)
      }
    }
    const [shell, flags, script] = initContainers[0].command
    const quoted = script.replaceAll(/\/(etc|run)\/nats\S*/g, (path: string) => `'${place(path)}'`)
    execFileSync(shell, [flags, quoted], { env: { ...process.env, ...secrets.get('nats') } })
    return startNats({
      configFile: join(own, 'run/nats/nats.conf'),
      env: { ...secrets.get('nats'), POD_NAME: `nats-${pod}` },
    })
  }

  const url = () => servers.map(({ port }) => `nats://localhost:${port}`).join(',')

  async function connect(user: string): Promise<Bus> {
    const bus = await connectBus(
      {
        NATS_URL: url(),
        NATS_USER: user,
        NATS_NKEY_SEED: secrets.get(user === 'backoffice' ? 'admin' : user)?.NATS_NKEY_SEED ?? '',
        NATS_TLS_CA_FILE: join(folder, 'ca.crt'),
      },
      silent,
    )
    buses.push(bus)
    return bus
  }

  test.each(natsUsers)('%s connects with its nkey, and answers reach it across the cluster', async user => {
    const bus = await connect(user)
    expect(bus.nc.info).toMatchObject({ tls_required: true, cluster: 'svc' })
    await bus.nc.flush()
  })

  test('nobody connects without one', async () => {
    const stranger = { NATS_URL: url(), NATS_USER: 'offers', NATS_PASSWORD: '$NATS_OFFERS_PASSWORD' }
    const connecting = connectBus({ ...stranger, NATS_TLS_CA_FILE: join(folder, 'ca.crt') }, silent)
    await expect(connecting).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' })
  })

  test.each(['gateway', 'compute'])('%s starts with the environment of its pod, and drains', async name => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const [healthPort, port] = [await freePort(), await freePort()]
    const running = await superviseProcess({
      name,
      script: join(repoRoot, 'services', name, 'dist/main.js'),
      env: {
        ...envOf(objects, secrets, specOf('Deployment', name).containers[0]),
        NATS_URL: url(),
        NATS_TLS_CA_FILE: join(folder, 'ca.crt'),
        HEALTH_PORT: String(healthPort),
        ...(name === 'gateway' ? { PORT: String(port) } : { DATABASE_URL: database.urls.compute }),
      },
      ready: `http://127.0.0.1:${healthPort}/readyz`,
      restart: false,
    })
    onTestFinished(async () => void (await running.stop()))
    await running.untilReady()
    expect(await running.stop()).toMatchObject({ code: 0 })
  })

  test('the operator’s commands connect with an nkey as well', async () => {
    const seed = secrets.get('admin')?.NATS_NKEY_SEED
    const listKeys = async (NATS_NKEY_SEED: string) => {
      const env = { NATS_URL: url(), NATS_NKEY_SEED, NATS_TLS_CA_FILE: join(folder, 'ca.crt') }
      return (await createAdminHere(env)(['keys', 'list'])).err
    }
    // Nothing serves here: it is admitted, and its call has no responder.
    expect(await listKeys(seed ?? '')).toMatch(/^The service cannot be reached right now/)
    expect(await listKeys(newNkey().seed)).toMatch(/^The bus refuses the user backoffice/)
  })

  test('events are stored on three servers, even after one of them is killed', async () => {
    const [activity, reader] = [await connect('activity'), await connect('backoffice')]
    const events = openEventStream(
      activity,
      { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 30, EVENTS_REPLICAS: 3 },
      silent,
    )
    const publish = (id: string) =>
      waitUntil(`event ${id} stored`, async () => {
        const event = { id, subject: 'events.offers.created', body: '{}', cursor: 'cDE' }
        return (await events.publish([event]).catch(() => []))[0] === 'stored'
      })
    await publish('1')
    const stream = async () =>
      (await reader.nc.request('$JS.API.STREAM.INFO.EVENTS', undefined, { timeout: scaled(2000) })).json<{
        config: { num_replicas: number }
        state: { messages: number }
        cluster: { replicas: { current: boolean }[] }
      }>()
    const { config, cluster } = await stream()
    expect(config.num_replicas).toBe(3)
    expect(cluster.replicas).toHaveLength(2)

    await servers[0]?.kill('SIGKILL')
    await publish('2')
    await publish('1')
    await waitUntil('the account of it', async () => (await stream()).state.messages === 2)
  })
})
