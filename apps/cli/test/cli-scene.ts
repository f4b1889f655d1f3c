/** The running product for `svc`, and a person who approves or denies codes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect } from 'vitest'
import { svc } from './svc-here.ts'
import type { Env } from './svc-process.ts'
import { insertMember, insertWorkspace } from '@svc/testing/members'

const silent = { info() {}, warn() {}, error() {} }
const backoffice = { caller: { kind: 'internal', id: 'test' } } as const

export interface Person {
  readonly id: string
  readonly email: string
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
}

/** One per test file. */
export function cliScene() {
  let stack: Product
  let bus: Bus
  let gateway: CallBus
  let dir: string
  beforeAll(async () => {
    stack = await joinProduct()
    bus = await connectBus(stack.stack.bus('tests'), silent)
    gateway = createCall(bus)
    dir = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  })
  afterAll(async () => {
    const faults = stack?.lines.filter(line => /"level":(50|60)/.test(line))
    await bus?.close()
    await stack?.stop()
    if (dir) await rm(dir, { recursive: true, force: true })
    expect(faults).toEqual([])
  })

  /** A new person with a verified address, who owns workspaces with these names. */
  async function newPerson(...names: string[]): Promise<Person> {
    const id = newId('user')
    const email = `${id}@test.example`
    // Written directly: most people need no password, and hashing one takes time.
    await stack.sql`insert into auth_tokens.users (id, email, verified_at) values (${id}, ${email}, now())`
    return { id, email, workspaces: await Promise.all(names.map(name => newWorkspace(id, name))) }
  }

  async function newWorkspace(user: string, name: string) {
    const id = await insertWorkspace(stack.sql, name)
    await insertMember(stack.sql, { workspace: id, user, role: 'owner' })
    return { id, name }
  }

  /** For a person who signs in on the pages. */
  const givePassword = ({ email }: Person, password: string) =>
    invoke(stack.backoffice, authTokens, 'put_user', { ...backoffice, body: { email, password } })

  async function openSession({ id }: Pick<Person, 'id'>): Promise<{ id: string; token: string }> {
    return invoke(stack.backoffice, authTokens, 'create_session', { ...backoffice, body: { user_id: id } })
  }

  /** What the person does on the pages, over the bus. */
  async function decide(code: string, person: Person, decision: 'approved' | 'denied') {
    const { id } = await openSession(person)
    const caller = { kind: 'session', id, user: person.id } as const
    const body = { user_code_hash: hashCredential(code.replace('-', '')) }
    const entered = await invoke(gateway, authTokens, 'enter_user_code', { caller, body })
    if (entered.outcome !== 'found') throw new Error(entered.outcome)
    await invoke(gateway, authTokens, 'decide_device_grant', {
      caller,
      body: { grant_id: entered.grant.id, decision },
    })
  }

  /** How many sessions of `svc` the person has. */
  async function sessionsOf({ id }: Person): Promise<number> {
    const [row] = await stack.sql<{ count: number }[]>`
      select count(*)::int as count from auth_tokens.sessions where user_id = ${id} and client_id = 'svc-cli'`
    return row?.count ?? -1
  }

  const owner = (): Env => ({
    XDG_CONFIG_HOME: join(dir, 'nobody'),
    SVC_BASE_URL: stack.dev.base_url,
    SVC_TOKEN: stack.dev.owner.session_token,
    SVC_WORKSPACE: stack.dev.workspace_id,
  })

  /** The `--json` output of a command that must succeed. */
  async function json(args: readonly string[], env: Env = owner(), input?: string) {
    const { code, out, err } = await svc([...args, '--json'], env, input)
    if (code !== 0) throw new Error(`status ${code}: ${err}`)
    return JSON.parse(out)
  }

  /** The body of the API for the same path. */
  async function api(path: string, init?: RequestInit) {
    const { SVC_TOKEN, SVC_WORKSPACE = '' } = owner()
    const headers = { authorization: `Bearer ${SVC_TOKEN}`, 'svc-context': SVC_WORKSPACE, ...init?.headers }
    return (await fetch(stack.dev.base_url + path, { ...init, headers })).json()
  }

  let homes = 0
  return {
    get stack() {
      return stack
    },
    get dev() {
      return stack.dev
    },
    get dir() {
      return dir
    },
    /** A new configuration folder, with nobody signed in. */
    home: (): Env => ({ XDG_CONFIG_HOME: join(dir, `home-${homes++}`), SVC_BASE_URL: stack.dev.base_url }),
    /** As the owner of the demo. */
    owner,
    json,
    api,
    newPerson,
    givePassword,
    openSession,
    decide,
    sessionsOf,
  }
}

/** The code in the output. */
export const codeIn = (text: string): string => /\b[B-Z]{4}-[B-Z]{4}\b/.exec(text)?.[0] ?? ''

/** The rows of a list as printed without a terminal. */
export const rowsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t'))
