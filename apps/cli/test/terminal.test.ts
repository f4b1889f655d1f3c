// What a person sees: tables of every width, colours, progress, and the question after a conflict.
import { request as forward } from 'node:http'
import { everything } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { cliScene } from './cli-scene.ts'
import { serve } from './serve.ts'
import { onScreen, svc } from './svc-here.ts'
import { type Env, inTerminal, keys, program, programInTerminal } from './svc-process.ts'

const scene = cliScene()

/** In `npm test` only what depends on the process or on its terminal has them. */
const watch = everything ? inTerminal : onScreen

describe('a new token', () => {
  const create = ['tokens', 'create', '--name', 'asked']
  const answeredWith = async (...typed: string[]) => {
    const terminal = watch(create, scene.owner(), { columns: 140 })
    await terminal.shows('What may the token do?')
    terminal.type(typed[0] ?? '')
    if (typed[1]) {
      await terminal.shows('Permissions')
      terminal.type(typed[1])
    }
    expect(await terminal.ended).toBe(0)
    return terminal.lines().find(line => line.startsWith('permissions'))
  }

  test('may do what the person at the terminal chooses', async () => {
    expect(await answeredWith(keys.down + keys.down + keys.enter)).toMatch(
      / catalogue:read catalogue:write offers:read offers:write$/,
    )
    expect(await answeredWith(keys.enter, ` ${keys.down} ${keys.enter}`)).toMatch(
      /^permissions +catalogue:read catalogue:write$/,
    )
    expect(await answeredWith(keys.down + keys.down + keys.down + keys.enter)).toBeUndefined()
  })
})

describe('tables', () => {
  let id: string
  let url: string
  beforeAll(async () => {
    const args = [
      'offers',
      'create',
      '--product',
      scene.dev.product_id,
      '--customer-name',
      '株式会社アクメ 🚀 Analytics',
      '--json',
    ]
    const created = JSON.parse((await svc(args, scene.owner())).out)
    id = created.id
    url = `${new URL(scene.dev.base_url).origin}/i/${created.short_hash}`
  })

  async function shown(
    columns: number,
    env: Env = {},
    args: readonly string[] = ['offers', 'list'],
    start = watch,
  ) {
    const terminal = start(args, { ...scene.owner(), ...env }, { columns })
    expect(await terminal.ended).toBe(0)
    return terminal
  }

  test('140 columns: one line per item, names above, in colour', async () => {
    const terminal = await shown(140, {}, ['offers', 'list'], inTerminal)
    const [names = '', row = '', ...more] = terminal.lines()
    expect(more).toEqual([])
    expect(names.split(/ {2,}/)).toEqual(['id', 'url', 'state', 'seats', 'expires_at', 'customer'])
    expect(row).toMatch(new RegExp(`^${id}  ${url}  active  0/1    -           株式会社アクメ 🚀 Analytics$`))
    expect(terminal.raw()).toContain('\u001b[32mactive\u001b[39m')
  })

  test('114 columns: what may be cut is cut, so that it is still a table', async () => {
    const [names = '', row = ''] = (await shown(114)).lines()
    expect(names).toMatch(/^id .* customer$/)
    expect(row).toMatch(/…$/)
    expect(row).toContain(id)
  })

  test('40 columns: a block per item, with nothing cut', async () => {
    const terminal = await shown(40)
    const lines = terminal.lines()
    expect(lines.join('\n')).toContain(url)
    expect(lines).toContain('state       active')
    expect(lines.slice(0, 2)).toEqual(['id', `  ${id}`])
    // The terminal itself did not have to wrap anything.
    expect(terminal.raw().split('\r\n').length - 1).toBe(lines.length)
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ] as [string, Env][])('%s: the same without escapes', async (_, env) => {
    const terminal = await shown(120, env)
    expect(terminal.raw()).not.toContain('\u001b')
    expect(terminal.lines()).toHaveLength(2)
  })

  test('--json is the same in a terminal as in a pipe', async () => {
    const args = ['offers', 'get', id, '--json']
    const terminal = await shown(200, {}, args)
    const { out } = await svc(args, scene.owner())
    expect(terminal.raw().replaceAll('\r\n', '\n')).toBe(out)
  })

  test('an empty list says so', async () => {
    expect((await shown(40, {}, ['installs', 'list'])).lines()).toEqual(['No installs found.'])
  })
})

describe('conflict on clusters settings set', () => {
  const settingsPath = () => `/clusters/${scene.dev.cluster_id}/compute_settings`
  const headers = () => ({
    authorization: `Bearer ${scene.dev.owner.session_token}`,
    'svc-context': scene.dev.workspace_id,
  })
  const read = async () => (await fetch(scene.dev.base_url + settingsPath(), { headers: headers() })).json()
  async function change(max_machines: number) {
    const { etag } = await read()
    const response = await fetch(scene.dev.base_url + settingsPath(), {
      method: 'PATCH',
      headers: { ...headers(), 'if-match': etag, 'content-type': 'application/json' },
      body: JSON.stringify({ max_machines }),
    })
    expect(response.status).toBe(200)
  }

  /** The gateway behind a proxy that lets others change the settings before each of the next writes arrives. */
  async function contested(...values: number[]) {
    const gateway = new URL(scene.dev.base_url)
    const proxy = await serve(async (request, response) => {
      const next = request.method === 'PATCH' ? values.shift() : undefined
      if (next !== undefined) await change(next)
      const { method, url: path, headers } = request
      const passed = forward(
        { host: gateway.hostname, port: gateway.port, method, path, headers },
        answer => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      request.pipe(passed)
    })
    const args = ['clusters', 'settings', 'set', scene.dev.cluster_id, '--max-machines', '50']
    const env = { ...scene.owner(), SVC_BASE_URL: proxy.url }
    return { args, env, close: () => proxy.close() }
  }

  test('shows what changed and asks; yes applies it', async () => {
    await change(10)
    const { args, env, close } = await contested(20)
    const terminal = watch(args, env)
    await terminal.shows('Apply your changes anyway?')
    const shown = terminal.lines().join('\n')
    expect(shown).toMatch(/Someone else changed the settings, at \d{4}-\d\d-\d\dT[\d:]+Z:/)
    expect(shown).toContain('max_machines: 10 → 20 (yours: 50)')
    terminal.type(keys.left + keys.enter)
    expect(await terminal.ended).toBe(0)
    close()
    expect(terminal.lines()).toContain('max_machines  50')
    expect((await read()).max_machines).toBe(50)
  })

  test('a terminal that reports no columns counts as one of 80', async () => {
    await change(10)
    const { args, env, close } = await contested(20)
    const script = 'stty rows 0 cols 0; exec "$0" "$@"'
    const terminal = programInTerminal('sh', ['-c', script, process.execPath, program, ...args], env)
    await terminal.shows(/^.*Apply your changes anyway\?$/m)
    terminal.type(keys.left + keys.enter)
    expect(await terminal.ended).toBe(0)
    close()
    expect(terminal.lines()).toContain('max_machines  50')
  })

  test('a second conflict asks again, and no changes nothing: status 5', async () => {
    await change(10)
    const { args, env, close } = await contested(20, 30)
    const terminal = watch(args, env)
    await terminal.shows('10 → 20')
    await terminal.shows('Apply your changes anyway?')
    terminal.type(keys.left + keys.enter)
    await terminal.shows('20 → 30')
    await terminal.shows(/Apply your changes[\s\S]*Apply your changes/)
    terminal.type(keys.enter)
    expect(await terminal.ended).toBe(5)
    close()
    expect(terminal.lines().at(-1)).toBe('svc: Nothing was changed.')
    expect((await read()).max_machines).toBe(30)
  })

  test('Ctrl-C at the question: status 130, and nothing is changed', async () => {
    await change(10)
    const { args, env, close } = await contested(20)
    const terminal = watch(args, env)
    await terminal.shows('Apply your changes anyway?')
    terminal.type(keys.interrupt)
    expect(await terminal.ended).toBe(130)
    close()
    expect(terminal.lines().at(-1)).toBe('svc: interrupted')
    expect((await read()).max_machines).toBe(20)
  })

  test('--yes applies it without a question', async () => {
    await change(10)
    const { args, env, close } = await contested(20, 30)
    const terminal = watch([...args, '--yes'], env)
    expect(await terminal.ended).toBe(0)
    close()
    expect(terminal.lines().join('\n')).not.toContain('Set yours')
    expect((await read()).max_machines).toBe(50)
  })
})

describe('progress', () => {
  test('is shown while an answer takes long, and removed when it arrives', async () => {
    let answer = () => {}
    const server = await serve((_request, response) => {
      answer = () => response.end(JSON.stringify({ data: [], next_cursor: null }))
    })
    const terminal = watch(['installs', 'list'], { ...scene.owner(), SVC_BASE_URL: server.url })
    await terminal.shows(/^\S reading …$/)
    answer()
    expect(await terminal.ended).toBe(0)
    server.close()
    expect(terminal.lines()).toEqual(['No installs found.'])
  })

  test('Ctrl-C ends it: status 130', async () => {
    const server = await serve(() => {})
    const terminal = inTerminal(['installs', 'list'], { ...scene.owner(), SVC_BASE_URL: server.url })
    await terminal.shows(/reading …/)
    terminal.type(keys.interrupt)
    expect(await terminal.ended).toBe(130)
    server.close()
    expect(terminal.lines()).toEqual(['svc: interrupted'])
  })
})

describe('what cannot be undone', () => {
  const newOffer = async () => {
    const args = ['offers', 'create', '--product', scene.dev.product_id, '--json']
    return JSON.parse((await svc(args, scene.owner())).out).id as string
  }
  const stateOf = async (id: string) => (await scene.api(`/offers/${id}`)).state

  test('is asked for in a terminal, where no changes nothing', async () => {
    const id = await newOffer()
    const answering = async (...typed: string[]) => {
      const terminal = watch(['offers', 'revoke', id], scene.owner())
      await terminal.shows(`Revoke ${id}? It cannot be undone.`)
      terminal.type(typed.join(''))
      return [await terminal.ended, await stateOf(id)]
    }
    expect(await answering(keys.enter)).toEqual([5, 'active'])
    expect(await answering(keys.interrupt)).toEqual([130, 'active'])
    expect(await answering(keys.left, keys.enter)).toEqual([0, 'revoked'])
  })

  test('needs --yes where nobody can be asked', async () => {
    const id = await newOffer()
    const { code, err } = await svc(['offers', 'revoke', id], scene.owner())
    expect([code, err, await stateOf(id)]).toEqual([
      2,
      `svc: Revoke ${id}? It cannot be undone: give --yes.\n`,
      'active',
    ])
    expect((await svc(['offers', 'revoke', id, '--yes'], scene.owner())).code).toBe(0)
    expect(await stateOf(id)).toBe('revoked')
  })
})
