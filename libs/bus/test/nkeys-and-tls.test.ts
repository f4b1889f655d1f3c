import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@svc/local/servers/embedded-nats'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, natsUsers, newSecrets } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { writeCertificates } from '@svc/testing/certificates'
import { withNkeys } from '@svc/testing/stack/nats-config'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { answerCallouts } from '../src/auth-callout.ts'
import { type BusConfig, connectBus } from '../src/connection.ts'
import { newNkey } from '../src/nkey.ts'
import { newIssuer } from '../src/user-jwt.ts'
import { keepingLog, silent } from './test-bus.ts'

const keys = Object.fromEntries(natsUsers.map(user => [user, newNkey()]))
const secrets = newSecrets()
const { nats: passwords } = secrets
let folder: string
let server: ServerHandle
let ca: string
let closeCompute = async () => {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  ca = join(folder, 'ca.crt')
  await writeCertificates(folder, ['localhost'])
  const conf = await readFile(join(repoRoot, 'deploy/nats/nats.conf'), 'utf8')
  const users = withNkeys(conf, user => keys[user]?.publicKey ?? '')
  const tls = `tls { cert_file: "${folder}/tls.crt", key_file: "${folder}/tls.key" }`
  const configFile = join(folder, 'nats.conf')
  await writeFile(configFile, `${users}\n${tls}\n`)
  const issuer = newIssuer()
  server = await startNats({ configFile, env: { NATS_AGENT_ISSUER: issuer.publicKey } })
  const compute = await connectBus(
    access({ NATS_USER: 'compute', NATS_NKEY_SEED: keys.compute?.seed }),
    silent,
  )
  answerCallouts(compute, { seed: issuer.seed, admit: async () => undefined, log: silent })
  await compute.nc.flush()
  closeCompute = () => compute.close()
})

afterAll(async () => {
  await closeCompute()
  await server?.stop()
  await rm(folder, { recursive: true })
})

const access = (change: Partial<BusConfig> = {}): BusConfig => ({
  NATS_URL: `nats://localhost:${server.port}`,
  NATS_USER: 'offers',
  NATS_NKEY_SEED: keys.offers?.seed,
  NATS_TLS_CA_FILE: ca,
  ...change,
})

test('a user with an nkey has its own permissions, over TLS, and reconnects after a loss', async () => {
  const { log, kept } = keepingLog()
  const bus = await connectBus(access(), log)
  onTestFinished(() => bus.close())
  expect(bus.nc.info).toMatchObject({ tls_required: true, auth_required: true })
  bus.nc.publish('rpc.compute.report_machines', '{}')
  await waitUntil('the refusal', () => kept.some(({ message }) => message === 'bus error'))
  expect(JSON.stringify(kept)).toContain('PERMISSIONS_VIOLATION')
  await server.restart()
  await waitUntil('its return', () => bus.connected && bus.losses === 1)
  await bus.nc.flush()
})

test.each([
  ['an nkey that the server does not know', { NATS_NKEY_SEED: newNkey().seed }, 'AUTHORIZATION_VIOLATION'],
  ['a password', { NATS_NKEY_SEED: undefined, NATS_PASSWORD: 'pw1' }, 'AUTHORIZATION_VIOLATION'],
])('%s is refused', async (_, change, code) => {
  await expect(connectBus(access(change as Partial<BusConfig>), silent)).rejects.toMatchObject({ code })
})

test.each([
  ['a seed that is none', { NATS_NKEY_SEED: 'SUSECRET' }, /^NATS_NKEY_SEED is not the seed of an nkey/],
  ['a file that is not there', { NATS_TLS_CA_FILE: '/nowhere/ca.crt' }, /\/nowhere\/ca\.crt.*ENOENT/],
])('%s is named', async (_, change, message) => {
  const error = await connectBus(access(change), silent).catch(error => error)
  expect(error.message).toMatch(message)
  expect(error.message).not.toContain('SUSECRET')
})

test('a server with a certificate of another authority or for another name is refused', async () => {
  const others = join(folder, 'others')
  await mkdir(others)
  await writeCertificates(others, ['nats-0.nats'])
  const NATS_TLS_CA_FILE = join(others, 'ca.crt')
  await expect(connectBus(access({ NATS_TLS_CA_FILE }), silent)).rejects.toMatchObject({
    code: 'CERT_SIGNATURE_FAILURE',
  })
  const configFile = join(others, 'nats.conf')
  await writeFile(configFile, `tls { cert_file: "${others}/tls.crt", key_file: "${others}/tls.key" }\n`)
  const other = await startNats({ configFile, env: {} })
  onTestFinished(() => other.stop())
  const NATS_URL = `nats://localhost:${other.port}`
  await expect(connectBus(access({ NATS_URL, NATS_TLS_CA_FILE }), silent)).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('a server without TLS is sent nothing if an authority is configured', async () => {
  const plain = await startNats({
    configFile: join(repoRoot, 'deploy/nats/nats.conf'),
    env: natsEnv(secrets),
  })
  onTestFinished(() => plain.stop())
  const { NATS_USER } = access()
  const connecting = connectBus(
    { NATS_URL: plain.url, NATS_USER, NATS_PASSWORD: passwords.offers, NATS_TLS_CA_FILE: ca },
    silent,
  )
  await expect(connecting).rejects.toMatchObject({ code: 'SERVER_OPT_NA' })
})
