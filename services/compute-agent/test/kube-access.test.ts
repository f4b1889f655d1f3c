// Where the agent finds its API server and what it shows there, against servers that ask for it over TLS.
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createProxy } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { writeCertificates } from '@svc/testing/certificates'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { kubeAccess } from '../src/kube-access.ts'
import { createKubeApi } from '../src/kube-api.ts'

let folder: string
let server: Server
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-kube-'))
  const { ca, cert, key } = await writeCertificates(folder, ['127.0.0.1', 'kubernetes'])
  server = createServer(
    { ca, cert, key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { authorization } = request.headers
      const certified = (request.socket as TLSSocket).authorized
      response.end(JSON.stringify({ path: request.url, authorization, certified }))
    },
  )
  url = `https://127.0.0.1:${await portOf(server)}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const read = (name: string) => readFile(join(folder, name))
async function portOf(listener: Server | ReturnType<typeof createProxy>): Promise<number> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return (listener.address() as AddressInfo).port
}

const context = (name: string) => ({ name, context: { cluster: name, user: name } })
async function write(file: string, content: object): Promise<string> {
  await writeFile(join(folder, file), JSON.stringify(content))
  return join(folder, file)
}

/** What a server sees of an agent with a kubeconfig of this cluster and this user. */
async function seen(cluster: object, user: object) {
  const KUBECONFIG = await write('config', {
    'current-context': 'a',
    contexts: [context('a')],
    clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority': 'ca.crt', ...cluster } }],
    users: [{ name: 'a', user }],
  })
  return ask({ KUBECONFIG })
}
const ask = (env: NodeJS.ProcessEnv, serviceAccount?: string) =>
  createKubeApi(kubeAccess(env, serviceAccount)).get('/version', { limit: 1 })

describe('a kubeconfig', () => {
  test('gives the authority as data or as a file beside it, and a token', async () => {
    const data = (await read('ca.crt')).toString('base64')
    const expected = { path: '/version?limit=1', authorization: 'Bearer t', certified: false }
    expect(await seen({}, { token: 't' })).toEqual(expected)
    expect(
      await seen({ 'certificate-authority': undefined, 'certificate-authority-data': data }, { token: 't' }),
    ).toEqual(expected)
  })

  test('without the authority the server is not trusted, unless it says that none is needed', async () => {
    const unknown = { 'certificate-authority': undefined }
    await expect(seen(unknown, {})).rejects.toThrow(/certificate/)
    expect(await seen({ ...unknown, 'insecure-skip-tls-verify': true }, {})).toMatchObject({
      certified: false,
    })
  })

  test('gives the name that the server’s certificate is for', async () => {
    expect(await seen({ 'tls-server-name': 'kubernetes' }, {})).toMatchObject({ path: '/version?limit=1' })
    await expect(seen({ 'tls-server-name': 'another' }, {})).rejects.toThrow(/altnames/)
  })

  test('gives a certificate of the client', async () => {
    const user = {
      'client-certificate': 'tls.crt',
      'client-key-data': (await read('tls.key')).toString('base64'),
    }
    expect(await seen({}, user)).toMatchObject({ certified: true })
  })

  test('gives name and password', async () => {
    expect(await seen({}, { username: 'ada', password: 'x' })).toMatchObject({
      authorization: 'Basic YWRhOng=',
    })
  })

  test('names a program, which is run again once its token expires', async () => {
    const program = join(folder, 'program')
    const calls = join(folder, 'calls')
    await writeFile(
      program,
      `#!/bin/sh\necho "$1 $NAME" >> '${calls}'\nprintf '{"status":{"token":"of-%s","expirationTimestamp":"%s"}}' "$1" "$UNTIL"`,
    )
    await chmod(program, 0o755)
    const until = async (UNTIL: string) => {
      const env = Object.entries({ NAME: 'n', UNTIL }).map(([name, value]) => ({ name, value }))
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: program, args: ['it'], env }
      const KUBECONFIG = await write('with-program', {
        'current-context': 'a',
        contexts: [context('a')],
        clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority': 'ca.crt' } }],
        users: [{ name: 'a', user: { exec } }],
      })
      const api = createKubeApi(kubeAccess({ KUBECONFIG }))
      await writeFile(calls, '')
      for (let times = 0; times < 2; times++)
        expect(await api.get('/')).toMatchObject({ authorization: 'Bearer of-it' })
      return (await read('calls')).toString()
    }
    expect(await until('2999-01-01T00:00:00Z')).toBe('it n\n')
    expect(await until('2020-01-01T00:00:00Z')).toBe('it n\nit n\n')
  })

  test('names a proxy', async () => {
    const asked: string[] = []
    const proxy = createProxy().on('connect', ({ url: target = '' }, client: Socket) => {
      asked.push(target)
      const [host = '', port] = target.split(':')
      const onward = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      client.pipe(onward).pipe(client)
      client.on('error', () => onward.destroy())
      onward.on('error', () => client.destroy())
    })
    onTestFinished(() => void proxy.close())
    const through = `http://127.0.0.1:${await portOf(proxy)}`
    expect(await seen({ 'proxy-url': through }, { token: 't' })).toMatchObject({ authorization: 'Bearer t' })
    expect(asked).toEqual([url.slice('https://'.length)])
  })

  test('may be several files: of what has one name, the first counts', async () => {
    const first = await write('first', {
      'current-context': 'b',
      users: [{ name: 'b', user: { token: 'first' } }],
    })
    await mkdir(join(folder, 'other'))
    await copyFile(join(folder, 'ca.crt'), join(folder, 'other/ca.crt'))
    const second = await write('other/second', {
      'current-context': 'none',
      contexts: [context('b')],
      clusters: [{ name: 'b', cluster: { server: url, 'certificate-authority': 'ca.crt' } }],
      users: [{ name: 'b', user: { token: 'second' } }],
    })
    expect(await ask({ KUBECONFIG: `${first}:${second}` })).toMatchObject({ authorization: 'Bearer first' })
  })

  test.each([
    ['a context that it lacks', { 'current-context': 'x' }, 'has no context "x"'],
    ['a proxy of another kind', { 'proxy-url': 'socks5://a:1' }, 'must be of a proxy that speaks HTTP'],
    ['a plugin that kubectl has no more', { 'auth-provider': { name: 'gcp' } }, 'is no longer supported'],
    ['a file that is not there', { 'client-key': 'none.key' }, 'none.key'],
  ])('with %s is refused in a sentence', async (_, content, said) => {
    if ('current-context' in content) {
      const KUBECONFIG = await write('config', content)
      expect(() => kubeAccess({ KUBECONFIG })).toThrow(said)
    } else await expect(seen(content, content)).rejects.toThrow(said)
  })
})

test('in a pod it is the service account, whose token is read anew for each request', async () => {
  const account = join(folder, 'account')
  await mkdir(account)
  await copyFile(join(folder, 'ca.crt'), join(account, 'ca.crt'))
  const { hostname: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT } = new URL(url)
  const api = createKubeApi(
    kubeAccess({ HOME: folder, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT }, account),
  )
  for (const token of ['one', 'two']) {
    await writeFile(join(account, 'token'), `${token}\n`)
    expect(await api.get('/')).toMatchObject({ authorization: `Bearer ${token}` })
  }
})

test('where there is nothing of all that, it says what to do', () => {
  expect(() => kubeAccess({ HOME: folder })).toThrow(/name a kubeconfig/)
})
