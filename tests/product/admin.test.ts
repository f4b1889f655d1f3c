/** `npm run admin` against the whole product, some of it as real processes. */
import { forFile } from '@svc/testing/for-file'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { createClient } from '@svc/client/client'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { writeBusFile } from '@svc/local/bus-file'
import { freePort } from '@svc/local/free-port'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminHere } from '@svc/testing/stack/admin-here'
import { createAdmin } from '@svc/testing/stack/admin-process'
import { joinProduct } from '@svc/testing/stack/join-product'
import { insertWorkspace } from '@svc/testing/members'

const running = forFile(joinProduct)
let bus: Bus
let gateway: CallBus
let emptyDir: string

beforeAll(async () => {
  bus = await connectBus(running.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  gateway = createCall(bus)
  emptyDir = await mkdtemp(join(tmpdir(), 'svc-admin-'))
})
afterAll(async () => {
  await bus?.close()
  await rm(emptyDir, { recursive: true, force: true })
})

const runAdmin = (args: string[], env: Record<string, string>) => createAdminHere(env)(args)

const admin = (args: string[], input = '') => createAdminHere(running.stack.bus('backoffice'))(args, input)
const adminProcess = (args: string[], input = '') => createAdmin(running.stack.bus('backoffice'))(args, input)

const newAddress = () => `${newId('user')}@admin.example`
const password = 'a good long password'
const origin = { address: '192.0.2.5', user_agent: 'test' }
const program = { caller: { kind: 'internal', id: 'test' } } as const
const signIn = (email: string) =>
  invoke(gateway, authTokens, 'sign_in', { ...program, body: { email, password, origin } })

async function workspacesOf(token: string) {
  const client = createClient({ baseUrl: running.baseUrls[0] ?? '', token })
  const { body } = await client['auth-tokens'].list_workspaces()
  return body.data.map(({ id, name, role }) => ({ id, name, role }))
}

describe('create-owner', () => {
  test('prints a link with which the owner chooses a password and signs in', async () => {
    const email = newAddress()
    const args = ['create-owner', '--email', email, '--workspace', 'Acme "1"']
    const { code, out, err } = await admin(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const match =
      /^(\S+) \((user_\w+)\) owns the workspace "Acme \\"1\\"" \((ws_\w+)\)\.\nChoose a password there, within 24 hours: (\S+)\n$/.exec(
        out,
      )
    expect(match?.[1]).toBe(email)
    const link = new URL(match?.[4] ?? '')
    expect(link.href).toBe(`${running.stack.gateways[0]?.url}/verify?token=${link.searchParams.get('token')}`)
    const session = await invoke(gateway, authTokens, 'complete_verification', {
      ...program,
      body: { hash: hashCredential(link.searchParams.get('token') ?? ''), password, origin },
    })
    const expected = [{ id: match?.[3], name: 'Acme "1"', role: 'owner' }]
    expect(await workspacesOf(session.token)).toEqual(expected)
    expect(await workspacesOf((await signIn(email)).token)).toEqual(expected)
    expect(running.lines.join('\n')).not.toContain(link.searchParams.get('token'))
  })

  test.each(['', '\n', '\r\n'])('takes a password from standard input, ended by %j', async end => {
    const email = newAddress()
    const args = ['create-owner', '--workspace', 'Acme', '--json', '--email', email, '--password-stdin']
    const { code, out } = await admin(args, `${password}${end}`)
    expect(code).toBe(0)
    const answer = JSON.parse(out)
    expect(Object.keys(answer)).toEqual(['user_id', 'workspace_id'])
    expect(await workspacesOf((await signIn(email)).token)).toEqual([
      { id: answer.workspace_id, name: 'Acme', role: 'owner' },
    ])
  })

  test('reports problems, in one line each, and does not repeat the password', async () => {
    const args = ['create-owner', '--email', 'nobody', '--workspace', 'x'.repeat(101), '--password-stdin']
    const { code, out, err } = await adminProcess(args, 'short 7')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trimEnd().split('\n').sort()).toEqual([
      'email must be an email address.',
      'password must have at least 8 characters.',
      expect.stringMatching(/^workspace_name .*100/),
    ])
    expect(err).not.toContain('short 7')
  })
})

test('verify-user verifies a user, and reports an unknown one', async () => {
  const email = newAddress()
  await invoke(running.backoffice, authTokens, 'put_user', { ...program, body: { email, password } })
  const { code, out } = await admin(['verify-user', '--email', email])
  expect(code).toBe(0)
  expect(out).toMatch(/^\S+@admin\.example \(user_\w+\) is verified\.\n$/)
  const [user] = await running.sql`select verified_at from auth_tokens.users where email = ${email}`
  expect(user?.verified_at).toBeInstanceOf(Date)
  const unknown = await admin(['verify-user', '--email', newAddress()])
  expect(unknown).toEqual({ code: 1, out: '', err: 'There is no such user.\n' })
})

test('put-client registers a client and renames it', async () => {
  for (const name of ['First', 'Second']) {
    const { code, out } = await admin(['put-client', '--id', 'my-cli', '--name', name])
    expect({ code, out }).toEqual({ code: 0, out: `The client my-cli is now named "${name}".\n` })
    const [client] = await running.sql`select name from auth_tokens.oauth_clients where id = 'my-cli'`
    expect(client?.name).toBe(name)
  }
  const grant = await invoke(gateway, authTokens, 'start_device_grant', {
    ...program,
    body: { client_id: 'my-cli', origin },
  })
  expect(grant.outcome).toBe('started')
})

test('quotas set gives a workspace its own number, and restores the default', async () => {
  const id = await insertWorkspace(running.sql, 'Quota')
  const set = (quota: string, most: string, workspace = id) =>
    admin(['quotas', 'set', '--workspace', workspace, '--quota', quota, '--most', most])
  const own = await set('clusters', '3')
  expect(own).toEqual({ code: 0, out: `Quota clusters of ${id}: 3.\n`, err: '' })
  for (const most of ['abc', '', '-1', '1.5', '1e3', 'null', '0x10', '1000000000000001']) {
    const { code, out, err } = await set('clusters', most)
    expect({ refused: code !== 0, out }, most).toEqual({ refused: true, out: '' })
    expect(err).toMatch(/most/)
  }
  // Above its default of 4 GiB.
  expect((await set('offer_bytes', '8000000000')).out).toBe(`Quota offer_bytes of ${id}: 8000000000.\n`)
  const unknown = await set('cluster', '3')
  expect(unknown).toMatchObject({ code: 1, out: '' })
  expect(unknown.err).toMatch(/^quota /)
  const [row] = await running.sql`select most from compute.quota_limits where workspace_id = ${id}`
  expect(row).toEqual({ most: '3' })
  const { out } = await admin(['quotas', 'list', '--workspace', id])
  expect(out).toMatch(/^clusters +0 of 3$/m)
  expect(out).toMatch(/^members +0 of 1000$/m)
  expect(out).toMatch(/^offers +0 of 1000000$/m)
  expect((await set('clusters', 'common')).out).toBe(`Quota clusters of ${id}: 200.\n`)
  for (const quota of ['clusters', 'members', 'offers']) {
    const mistyped = await set(quota, '3', `${id}x`)
    expect(mistyped).toEqual({ code: 1, out: '', err: `workspace: there is no workspace ${id}x.\n` })
  }
})

describe('a usage error', () => {
  test.each<[string, string[], string]>([
    ['another command', ['drop-everything'], 'Unknown command "drop-everything".'],
    ['half a command', ['keys'], 'Unknown command "keys".'],
    ['no e-mail address', ['create-owner', '--workspace', 'Acme'], 'create-owner needs --email.'],
    ['an empty value', ['create-owner', '--email', '', '--workspace', 'A'], 'create-owner needs --email.'],
    ['another option', ['verify-user', '--email', 'a@b.example', '--force'], "Unknown option '--force'"],
    ['an option without its value', ['verify-user', '--email'], "Option '--email <value>' argument missing"],
    [
      'an argument too many',
      ['verify-user', '--email', 'a@b.example', 'more'],
      'verify-user does not take "more".',
    ],
    ['no kid', ['keys', 'remove'], 'keys remove needs the kid.'],
    ['two kids', ['keys', 'remove', 'one', 'two'], 'keys remove does not take "two".'],
    [
      'no password on standard input',
      ['create-owner', '--email', 'a@b.example', '--workspace', 'A', '--password-stdin'],
      '--password-stdin: there is no password on standard input.',
    ],
    [
      'a password as an argument',
      ['create-owner', '--email', 'a@b.example', '--workspace', 'A', '--password', 'x'],
      "Unknown option '--password'",
    ],
  ])('%s: is reported, shows the usage, and ends with 2', async (_, args, says) => {
    const { code, out, err } = await admin(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.startsWith(says)).toBe(true)
    expect(err).toContain('Usage: npm run admin -- <command>')
  })

  test('no arguments show the usage; --help is not an error', async () => {
    const [nothing, help] = [await admin([]), await adminProcess(['--help'])]
    expect([nothing.code, help.code]).toEqual([2, 0])
    expect(nothing.out).toBe(help.out)
    for (const command of [
      'create-owner',
      'verify-user',
      'put-client',
      'keys list',
      'keys rotate',
      'keys remove <kid>',
    ]) {
      expect(help.out).toContain(`  ${command}`)
    }
  })
})

describe('the bus', () => {
  const ask = ['verify-user', '--email', 'nobody@admin.example']

  test('is that of the running npm start, unless NATS_URL is set', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-admin-'))
    try {
      await writeBusFile(dataDir, running.stack.bus('backoffice'))
      const { code, err } = await runAdmin(ask, { SVC_DATA_DIR: dataDir })
      expect({ code, err }).toEqual({ code: 1, err: 'There is no such user.\n' })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('that is not running, or was killed, is reported in one line', async () => {
    const says = `Nothing is running with the data folder ${emptyDir}: start it with npm start, or set NATS_URL.\n`
    const nowhere = { code: 1, out: '', err: says }
    expect(await runAdmin(ask, { SVC_DATA_DIR: emptyDir })).toEqual(nowhere)
    await writeBusFile(emptyDir, {
      ...running.stack.bus('backoffice'),
      NATS_URL: `nats://127.0.0.1:${await freePort()}`,
    })
    expect(await runAdmin(ask, { SVC_DATA_DIR: emptyDir })).toEqual(nowhere)
  })

  test('that cannot be reached at NATS_URL, or refuses the user, is reported in one line without the password', async () => {
    const { NATS_URL } = running.stack.bus('backoffice')
    const nobody = { NATS_URL: `nats://127.0.0.1:${await freePort()}`, NATS_PASSWORD: 'pw' }
    const none = await runAdmin(ask, nobody)
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(none.err).toMatch(/^NATS_URL: no NATS server answers\. .*ECONNREFUSED.*\n$/)
    const wrong = await runAdmin(ask, { NATS_URL, NATS_PASSWORD: 'not-the-password' })
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toMatch(/^The bus refuses the user backoffice: .*\n$/)
    expect(wrong.err).not.toContain('not-the-password')
    expect(await runAdmin(ask, { NATS_URL })).toEqual({
      code: 1,
      out: '',
      err: 'NATS_URL is set but NATS_PASSWORD is not: set both.\n',
    })
  })
})
