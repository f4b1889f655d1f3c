// `svc login --ci`: it finds the ID token of the run that it is a part of, and later commands use what it is exchanged for.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'

const workspace = 'ws_01h455vb4pex5vsknk084sn02q'
const secret = `sk_svc_${'a'.repeat(40)}`
const idToken = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwcyJ9.c2lnbmF0dXJl'

/** In place of GitHub, which makes ID tokens, and of the API. */
let server: Awaited<ReturnType<typeof serve>>
let dir: string
let asked: { url: string; authorization: string | undefined; form: Record<string, string> }[] = []
let refuses = false
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-ci-'))
  server = await serve((request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      const url = request.url ?? ''
      const form = Object.fromEntries(new URLSearchParams(text))
      asked.push({ url, authorization: request.headers.authorization, form })
      const answer = url.startsWith('/github')
        ? { value: idToken }
        : url === '/oauth/token'
          ? refuses
            ? {
                error: 'invalid_request',
                error_description: 'No CI trust of the workspace matches this run.',
              }
            : { access_token: secret, token_type: 'Bearer', expires_in: 900, scope: 'offers:read' }
          : { data: [], next_cursor: null }
      response
        .writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer))
    })
  })
})
afterAll(async () => {
  server.close()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  refuses = false
})

const envOf = (name: string) => ({ XDG_CONFIG_HOME: join(dir, name), SVC_BASE_URL: `${server.url}/v1` })
const exchanged = {
  url: '/oauth/token',
  authorization: undefined,
  form: {
    client_id: 'svc-cli',
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token: idToken,
  },
}

test('in GitHub Actions it asks for a token with the workspace as the audience, and the next command uses what it got', async () => {
  const env = {
    ...envOf('github'),
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/github?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
  }
  const { code, out, err } = await svc(['login', '--ci', '--workspace', workspace], env)
  expect([code, out]).toEqual([0, ''])
  expect(err).toContain('for 15 minutes: offers:read')
  expect(err).not.toContain(secret)
  const audience = encodeURIComponent(`${server.url}/${workspace}`)
  expect(asked).toEqual([
    { url: `/github?api-version=2.0&audience=${audience}`, authorization: 'Bearer of-the-runner', form: {} },
    exchanged,
  ])
  asked = []
  expect((await svc(['offers', 'list'], envOf('github'))).code).toBe(0)
  expect(asked).toContainEqual({ url: '/v1/offers', authorization: `Bearer ${secret}`, form: {} })
  // It has no session that could be ended.
  asked = []
  expect((await svc(['logout'], envOf('github'))).code).toBe(0)
  expect(asked).toEqual([])
})

test('elsewhere it uses the token in SVC_ID_TOKEN', async () => {
  const env = { ...envOf('gitlab'), SVC_WORKSPACE: workspace, SVC_ID_TOKEN: `${idToken}\n` }
  const { code, out } = await svc(['login', '--ci', '--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ workspace_id: workspace, expires_in: 900, scope: 'offers:read' })
  expect(asked).toEqual([exchanged])
})

test('a refusal is shown as it was answered, and nothing is stored', async () => {
  refuses = true
  const env = { ...envOf('refused'), SVC_WORKSPACE: workspace, SVC_ID_TOKEN: idToken }
  const { code, err } = await svc(['login', '--ci'], env)
  expect([code, err]).toEqual([1, expect.stringContaining('No CI trust of the workspace matches this run.')])
  expect(err).not.toContain(idToken)
  expect((await svc(['offers', 'list'], envOf('refused'))).code).toBe(3)
})

test.each<[string, number, Record<string, string>, RegExp]>([
  ['a token', 3, { SVC_WORKSPACE: workspace }, /id-token: write.*id_tokens/],
  ['a workspace', 2, { SVC_ID_TOKEN: idToken }, /--workspace ws_…, or SVC_WORKSPACE/],
  [
    'the id of a workspace',
    2,
    { SVC_ID_TOKEN: idToken, SVC_WORKSPACE: 'Acme' },
    /--workspace ws_…, or SVC_WORKSPACE/,
  ],
])('without %s it says what is missing', async (_, status, env, message) => {
  const { code, err } = await svc(['login', '--ci'], { ...envOf('nothing'), ...env })
  expect([code, err]).toEqual([status, expect.stringMatching(message)])
  expect(asked).toEqual([])
})
