// From `svc login` to `svc logout` against the running product: pipes, pseudo-terminals and a browser.
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@svc/local/wait-until'
import { startBrowser } from '@svc/testing/browser'
import { everything } from '@svc/testing/size'
import { afterAll, expect, test as one, vi } from 'vitest'
import { cliScene, codeIn, type Person } from './cli-scene.ts'
import { onScreen, start, svc } from './svc-here.ts'
import { type Env, inTerminal, keys, start as startProcess } from './svc-process.ts'

// Files of a worker share loaded modules: earlier ones would not see the mock, and later ones must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('node:timers/promises')
  vi.resetModules()
})

const scene = cliScene()
// They mostly wait for the interval: five seconds in a process, a twentieth of that here.
const test = one.concurrent
vi.setConfig({ maxConcurrency: 20 })
vi.mock('node:timers/promises', async original => {
  const { setTimeout, ...others } = await original<typeof import('node:timers/promises')>()
  return {
    ...others,
    setTimeout: (ms: number, ...rest: []) => setTimeout(ms < 1000 ? ms : ms / 20, ...rest),
  }
})

/** In `npm test` only the first login is a process in a terminal. */
const watch = everything ? inTerminal : onScreen
const begin = everything ? startProcess : start

interface SignIn {
  readonly decision?: 'approved' | 'denied'
  readonly begin?: typeof begin
  readonly asked?: readonly string[]
}

/** Starts a login whose code is decided as soon as it is shown. */
async function signIn(
  person: Person,
  env: Env,
  { decision = 'approved', begin: run = start, asked = [] }: SignIn = {},
) {
  const running = run(['login', ...asked], env)
  await waitUntil('the code is shown', () => codeIn(running.err()) !== '')
  await scene.decide(codeIn(running.err()), person, decision)
  return running.ended
}

const folderOf = (env: Env) => join(env.XDG_CONFIG_HOME ?? '', 'svc')
async function keptIn(
  env: Env,
): Promise<{ path: string; session_token: string; workspace?: { id: string } }> {
  const name = (await readdir(folderOf(env))).find(name => name.startsWith('http'))
  const path = join(folderOf(env), name ?? 'none')
  return { path, ...JSON.parse(await readFile(path, 'utf8')) }
}
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
const sessionStatus = async (token: string) =>
  (await fetch(`${scene.dev.base_url}/sessions`, { headers: { authorization: `Bearer ${token}` } })).status

test('a person approves on the pages; only they can read the credentials; logout ends the session', async () => {
  const person = await scene.newPerson('Acme')
  await scene.givePassword(person, 'correct horse battery')
  const script = join(scene.dir, 'browser.sh')
  const env: Env = { ...scene.home(), BROWSER: script }
  const opened = join(scene.dir, 'opened')
  await writeFile(script, `#!/bin/sh\necho "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`)
  await chmod(script, 0o755)
  const { browser, close } = await startBrowser()
  try {
    const terminal = inTerminal(['login'], env)
    await terminal.shows('Press Enter')
    await terminal.shows(/waiting for approval … 9:\d\d left/)
    terminal.type(keys.enter)
    await waitUntil('the browser is opened', async () => (await stat(opened)).isFile())
    const page = await browser.newPage()
    await page.goto((await readFile(opened, 'utf8')).trim())
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByLabel('Code').inputValue()).toBe(codeIn(terminal.lines().join('\n')))
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.locator('main').innerText()).toMatch(/svc\/\d+\.\d+\.\d+ \(linux; .+\)/)
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await terminal.ended).toBe(0)
    expect(terminal.lines().slice(-2)).toEqual([
      `Signed in at ${scene.dev.base_url}.`,
      `Workspace: Acme (${person.workspaces[0]?.id})`.slice(0, 80),
    ])
  } finally {
    await close()
  }

  const { path, session_token } = await keptIn(env)
  expect([await modeOf(folderOf(env)), await modeOf(path)]).toEqual(['700', '600'])
  expect((await readdir(folderOf(env))).filter(name => name.startsWith('.'))).toEqual([])
  const { out, code } = await svc(['whoami', '--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    kind: 'session',
    source: 'login',
    user_id: person.id,
    email: person.email,
    workspace: { ...person.workspaces[0], role: 'owner' },
  })
  // The address is that of the last login by default.
  const { SVC_BASE_URL: _, ...elsewhere } = env
  // Each use extends the session.
  expect({ ...JSON.parse((await svc(['whoami', '--json'], elsewhere)).out), expires_at: 0 }).toEqual({
    ...JSON.parse(out),
    expires_at: 0,
  })

  const left = await svc(['logout'], env)
  expect(left).toEqual({ code: 0, out: '', err: `Signed out of ${scene.dev.base_url}.\n` })
  expect(await sessionStatus(session_token)).toBe(401)
  expect(await svc(['whoami'], env)).toMatchObject({
    code: 3,
    err: expect.stringContaining('Not signed in at'),
  })
  expect((await svc(['logout'], env)).code).toBe(0)
})

test('without a terminal it prints the code and the address, and asks nothing', async () => {
  const env = scene.home()
  const { code, out, err } = await signIn(await scene.newPerson('One', 'Zwölf', 'ZWÖLF'), env)
  expect([code, out]).toEqual([0, ''])
  expect(err).toContain('/device\n')
  expect(err).not.toContain('Press Enter')
  expect(err).not.toContain('\u001b')
  expect(err).toContain('Choose a workspace with svc workspace use.')
  const { session_token } = await keptIn(env)
  expect(err).not.toContain(session_token)
  // With no workspace named, the API says what is missing, and the command how to fix it.
  const refused = await svc(['offers', 'list'], env)
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('svc workspace use') })
  expect((await svc(['workspace', 'use', 'Zwo\u0308lf'], env)).code).toBe(0)
  expect((await svc(['workspace', 'use', 'oNE'], env)).code).toBe(0)
  expect(await svc(['workspace', 'use', 'zwölf'], env)).toMatchObject({ code: 2 })
  expect((await svc(['offers', 'list'], env)).code).toBe(0)
  expect(await svc(['workspace', 'use', 'Three'], env)).toMatchObject({ code: 4 })
})

test('with --json a program reads what to show, but never the secret codes', async () => {
  const person = await scene.newPerson('Acme')
  const env = scene.home()
  const running = start(['login', '--json'], env)
  await waitUntil('the code is shown', () => running.out().includes('\n'))
  const shown = JSON.parse(running.out())
  expect(Object.keys(shown).sort()).toEqual(
    ['expires_in', 'interval', 'user_code', 'verification_uri', 'verification_uri_complete'].sort(),
  )
  await scene.decide(shown.user_code, person, 'approved')
  const { code, out, err } = await running.ended
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out.slice(out.indexOf('\n')))).toEqual({
    base_url: scene.dev.base_url,
    workspace_id: person.workspaces[0]?.id,
    scope: 'account',
    expires_in: 30 * 86_400,
  })
})

test('a login that asks for less gets it, for one workspace and some hours', async () => {
  const person = await scene.newPerson('Acme', 'Other')
  const [workspace] = person.workspaces
  const env = scene.home()
  const asked = ['--read-only', '--workspace', workspace?.id ?? '', '--for', '8h']
  const { code, err } = await signIn(person, env, { asked })
  expect(code).toBe(0)
  expect(err).toContain(`Workspace: Acme (${workspace?.id})\nPermissions: catalogue:read offers:read `)
  expect((await svc(['offers', 'list'], env)).code).toBe(0)
  expect(await svc(['packages', 'create', '--name', 'x'], env)).toMatchObject({
    code: 3,
    err: expect.stringContaining('catalogue:write'),
  })
  const { out } = await svc(['whoami', '--json'], env)
  const { expires_at, ...identity } = JSON.parse(out)
  expect(identity).toMatchObject({ user_id: null, kind: 'session', workspace: { id: workspace?.id } })
  expect(expires_at * 1000 - Date.now()).toBeLessThanOrEqual(8 * 3_600_000)
  const token = await svc(['token', '--scope', 'offers:read'], env)
  const less = { ...env, SVC_TOKEN: token.out.trim() }
  expect((await svc(['offers', 'list'], less)).code).toBe(0)
  expect((await svc(['packages', 'list'], less)).code).toBe(3)
  expect(await svc(['token', '--scope', 'offers:write'], env)).toMatchObject({ code: 1, out: '' })
  expect((await svc(['logout'], env)).code).toBe(0)
  expect((await svc(['offers', 'list'], less)).code).toBe(3)
})

test('a person with several workspaces is asked which to use, if there is a terminal', async () => {
  const person = await scene.newPerson('First', 'Second')
  const env = scene.home()
  const terminal = watch(['login', '--no-browser'], env)
  await terminal.shows('enter the code')
  await scene.decide(codeIn(terminal.lines().join('\n')), person, 'approved')
  await terminal.shows('Which workspace')
  const [, second] = terminal.lines().filter(line => /First|Second/.test(line))
  terminal.type(keys.down + keys.enter)
  expect(await terminal.ended).toBe(0)
  const chosen = person.workspaces.find(({ name }) => second?.includes(name))
  expect((await keptIn(env)).workspace).toEqual(chosen)
})

test('Ctrl-C at that question: not signed in, and no session is left', async () => {
  const person = await scene.newPerson('First', 'Second')
  const env = scene.home()
  const terminal = watch(['login'], env)
  await terminal.shows('enter the code')
  await scene.decide(codeIn(terminal.lines().join('\n')), person, 'approved')
  await terminal.shows('Which workspace')
  terminal.type(keys.interrupt)
  expect(await terminal.ended).toBe(130)
  await expect(readdir(folderOf(env))).rejects.toThrow('ENOENT')
  expect(await scene.sessionsOf(person)).toBe(0)
})

test('denied: status 3, and nothing is kept', async () => {
  const env = scene.home()
  const { code, err } = await signIn(await scene.newPerson(), env, { decision: 'denied' })
  expect(code).toBe(3)
  expect(err).toContain('svc: The request was denied. (access_denied)')
  await expect(readdir(folderOf(env))).rejects.toThrow('ENOENT')
})

test('an expired code: status 6, and nothing is kept', async () => {
  const env = scene.home()
  const running = start(['login'], env)
  await waitUntil('the code is shown', () => codeIn(running.err()) !== '')
  await scene.stack.sql`
    update auth_tokens.device_grants set expires_at = now() - interval '1 second'
    where user_code_hash = sha256(${codeIn(running.err()).replace('-', '')}::bytea)`
  const { code, err } = await running.ended
  expect(code).toBe(6)
  expect(err).toContain('The code expired before it was approved. Run svc login again.')
  await expect(readdir(folderOf(env))).rejects.toThrow('ENOENT')
})

test('Ctrl-C while it waits: status 130, a clean line, nothing is kept', async () => {
  const env = scene.home()
  const terminal = watch(['login'], env)
  await terminal.shows('waiting for approval')
  terminal.type(keys.interrupt)
  expect(await terminal.ended).toBe(130)
  expect(terminal.lines().at(-1)).toBe('svc: interrupted')
  await expect(readdir(folderOf(env))).rejects.toThrow('ENOENT')
})

test('a second login replaces the first, whose session ends', async () => {
  const person = await scene.newPerson('Acme')
  const env = scene.home()
  await signIn(person, env)
  const first = await keptIn(env)
  await chmod(first.path, 0o644)
  await signIn(person, env)
  const second = await keptIn(env)
  expect(await modeOf(second.path)).toBe('600')
  expect([await sessionStatus(first.session_token), await sessionStatus(second.session_token)]).toEqual([
    401, 200,
  ])
})

test('one of several simultaneous logins at one address works; logins at other addresses are independent', async () => {
  const person = await scene.newPerson('Acme')
  const env = scene.home()
  // The same gateway under another name is another address.
  const other = {
    ...env,
    SVC_BASE_URL: scene.dev.base_url.replace(/localhost|127\.0\.0\.1/, name =>
      name === 'localhost' ? '127.0.0.1' : 'localhost',
    ),
  }
  const ended = await Promise.all([env, env, env, other].map(one => signIn(person, one, { begin })))
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  for (const one of [env, other]) expect((await svc(['whoami'], one)).code).toBe(0)
  expect((await readdir(folderOf(env))).sort()).toEqual(
    ['config.json', ...[env, other].map(one => `${encodeURIComponent(one.SVC_BASE_URL ?? '')}.json`)].sort(),
  )
})

test('a logout that does not reach the API keeps the credential, except with --local', async () => {
  const env = scene.home()
  await signIn(await scene.newPerson('Acme'), env)
  const { path } = await keptIn(env)
  const gone = { ...env, SVC_BASE_URL: 'http://127.0.0.1:9/v1' }
  const moved = join(folderOf(env), `${encodeURIComponent(gone.SVC_BASE_URL)}.json`)
  await writeFile(moved, await readFile(path))
  expect(await svc(['logout'], gone)).toMatchObject({ code: 6 })
  expect((await stat(moved)).isFile()).toBe(true)
  expect(await svc(['logout', '--local'], gone)).toMatchObject({ code: 0 })
  await expect(stat(moved)).rejects.toThrow('ENOENT')
})

test("SVC_TOKEN wins over the login, and does not use the login's workspace", async () => {
  const env = scene.home()
  await signIn(await scene.newPerson('Acme'), env)
  const withToken = { ...env, SVC_TOKEN: scene.dev.api_token }
  const { out } = await svc(['whoami', '--json'], withToken)
  expect(JSON.parse(out)).toMatchObject({
    source: 'SVC_TOKEN',
    kind: 'api_token',
    workspace: { id: scene.dev.workspace_id },
  })
  expect((await svc(['offers', 'list'], withToken)).code).toBe(0)
  expect(await svc(['workspace', 'use', 'Acme'], withToken)).toMatchObject({ code: 2 })
})

test('a person who was removed from the chosen workspace is told so, and can choose another one', async () => {
  const env = scene.home()
  const person = await scene.newPerson('Lost', 'Left')
  await signIn(person, env)
  const [lost, left] = person.workspaces
  expect((await svc(['workspace', 'use', 'Lost'], env)).code).toBe(0)
  await scene.stack.sql`delete from auth_tokens.memberships where workspace_id = ${lost?.id ?? ''}`
  expect((await svc(['offers', 'list'], env)).code).toBe(3)
  const { code, out, err } = await svc(['whoami', '--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ email: person.email, workspace: null })
  expect(err).toBe(`This credential has no access to the workspace ${lost?.id}.\n`)
  expect((await svc(['workspace', 'list'], env)).out).toContain(left?.id)
  expect((await svc(['workspace', 'use', 'Left'], env)).code).toBe(0)
  expect((await svc(['offers', 'list'], env)).code).toBe(0)
})

test.each([
  ['not JSON', '{"session_token"', 'is not JSON'],
  ['another shape', '[]', 'Not signed in'],
])('a credentials file that is %s is reported without its content', async (_, content, said) => {
  const env = scene.home()
  await mkdir(folderOf(env), { recursive: true })
  await writeFile(join(folderOf(env), `${encodeURIComponent(env.SVC_BASE_URL ?? '')}.json`), content)
  const { code, err } = await svc(['whoami'], env)
  expect([1, 3]).toContain(code)
  expect(err).toContain(said)
  expect(err).not.toContain('session_token')
})
