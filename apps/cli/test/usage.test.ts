// Usage errors, and environments in which nothing works. No server is needed.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { everything } from '@svc/testing/size'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'
import { type Env, start, svcProcess } from './svc-process.ts'

let dir: string
let home: Env
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-usage-'))
  home = { XDG_CONFIG_HOME: dir }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Also as a process; in the quick tier the other processes here are enough. */
const either = everything ? svcProcess : svc

const secret = 'sk_svc_do_not_print_me'
const offline = (): Env => ({ ...home, SVC_TOKEN: secret, SVC_BASE_URL: 'http://127.0.0.1:9' })

/** More than any attempt needs: a slow machine must not end them. */
const patient = '60s'

describe('a usage error ends with status 2, and suggests what is similar', () => {
  test('by the process itself, and on its standard error', async () => {
    const { code, out, err } = await svcProcess(['ofers'], home)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^svc: unknown command 'ofers'\n\(Did you mean offers\?\)\n/)
  })

  test.each([
    ['a command below', ['tokens', 'revok', 'x'], "unknown command 'revok'\n(Did you mean revoke?)"],
    ['an option', ['offers', 'list', '--stat', 'active'], "unknown option '--stat'\n(Did you mean --state?)"],
    [
      'a choice',
      ['offers', 'list', '--state', 'gone'],
      'Allowed choices are active, exhausted, expired, revoked.',
    ],
    ['a missing argument', ['offers', 'get'], "missing required argument 'id'"],
    ['a missing option', ['tokens', 'create'], "required option '--name <name>' not specified"],
    ['too much', ['offers', 'get', 'a', 'b'], 'too many arguments'],
    ['a number', ['offers', 'list', '--limit', 'ten'], 'Give a whole number.'],
    ['a time', ['offers', 'create', '--expires-at', 'tomorrow'], 'Give Unix seconds, a time such as'],
    ['a duration', ['tokens', 'rotate', 'x', '--grace', '1 hour'], 'Give a duration such as'],
    ['a field', ['offers', 'create', '--field', '=5'], 'Give it as name=value.'],
    [
      'one in a list',
      ['offers', 'create', '--field', 'a=[1,12345678901234567890]'],
      '1 is an integer beyond',
    ],
    ['an id that would leave the path', ['clusters', 'settings', 'get', '..'], 'Give an id: letters, digits'],
    ['a key', ['offers', 'create', '--idempotency-key', 'é'], 'Give 1 to 64 ASCII characters'],
    [
      'a number of a policy',
      ['channels', 'policies', 'activate', 'och_1', '../1'],
      'Give a number from 1 on.',
    ],
    ['a change of nothing', ['channels', 'update', 'och_1'], 'Give --name or --status.'],
    ['a short hash', ['orders', 'create', '../orders'], 'Give the short_hash of an offer'],
    ['a timeout', ['whoami', '--timeout', '0'], 'Give at least one second.'],
    ['an offer of nothing', ['offers', 'create'], 'Give --product, --package-version or --file.'],
    [
      'settings of nothing',
      ['clusters', 'settings', 'set', 'clus_1'],
      'Give --max-machines or --auto-scaling.',
    ],
    ['a file that is not there', ['offers', 'create', '--file', '/none'], '/none cannot be read (ENOENT).'],
    ['an address', ['whoami', '--base-url', 'localhost:8080'], '--base-url is not an http or https address'],
  ])('%s', async (_, args, said) => {
    const { code, out, err } = await svc(args, offline())
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^svc: /)
    expect(err).toContain(said)
  })

  test("the usage line is the command's", async () => {
    const { err } = await svc(['offers', 'list', '--nope'], home)
    expect(err).toContain('Usage: svc offers list [options]\nSee: svc offers list --help\n')
  })

  test.each([[[]], [['offers']], [['clusters', 'settings']]])(
    'no command in %j prints the help',
    async args => {
      const { code, out, err } = await svc(args, home)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('Commands:')
    },
  )

  test.each([
    ['not JSON', '{"a":', 'Standard input is not JSON'],
    ['not JSON in many lines', '# a\n\nb\n', 'Standard input is not JSON: Unexpected token'],
    ['a list', '[]', 'Standard input is not a JSON object.'],
    ['nothing', '', 'Standard input is not JSON'],
    ['a number that is lost', '{"a":[{"b":1e-400}]}', 'Standard input: a.0.b is a number that is too close'],
  ])('standard input that is %s', async (_, input, said) => {
    const { code, err } = await svc(['offers', 'create', '--file', '-'], offline(), input)
    expect(code).toBe(2)
    expect(err).toContain(said)
    expect(err.split('\n')).toHaveLength(2)
  })
})

describe('with --json a failure is JSON on standard output, and still said on standard error', () => {
  const failed = async (args: readonly string[], env: Env, input?: string) => {
    const { code, out, err } = await svc(args, env, input)
    expect(err).toMatch(/^(svc: |Usage: )/)
    const { _tag, success, errors, result } = JSON.parse(out)
    expect([success, errors.length, errors[0].code, result]).toEqual([false, 1, code, {}])
    return { _tag, ...errors[0] }
  }

  test.each<[string, string[], string]>([
    ['a command', ['ofers', '--json'], "unknown command 'ofers'"],
    ['a value before it', ['--timeout', '0', 'whoami', '--json'], 'Give at least one second.'],
    ['no command', ['offers', '--json'], 'No command is given.'],
    ['what the command itself checks', ['offers', 'create', '--json'], 'Give --product, --package-version'],
  ])('a usage error: %s', async (_, args, said) => {
    expect(await failed(args, offline())).toMatchObject({
      _tag: 'Usage',
      code: 2,
      message: expect.stringContaining(said),
    })
  })

  test('nobody is signed in, and nothing listens', async () => {
    expect(await failed(['offers', 'list', '--json'], home)).toMatchObject({ _tag: 'NotSignedIn', code: 3 })
    expect(await failed(['offers', 'list', '--json'], offline())).toMatchObject({
      _tag: 'Unavailable',
      code: 6,
      message: expect.stringMatching(/^Could not connect/),
      metadata: { details: expect.stringContaining('Check that http://127.0.0.1:9/v1') },
    })
  })

  test('after -- it is no option', async () => {
    const { code, out } = await svc(['offers', 'get', '--', 'offer_1', '--json'], offline())
    expect([code, out]).toEqual([2, ''])
  })
})

test('help and version go to standard output, with status 0', async () => {
  const { version } = JSON.parse(await readFile(join(repoRoot, 'apps/cli/package.json'), 'utf8'))
  expect(await either(['--version'], home)).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const help = await svc(['tokens', 'create', '--help'], home)
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain('Usage: svc tokens create [options]')
})

test.each([[['help', 'offers']], [['offers', 'help', 'create']], [['help']]])(
  '%j is help that was asked for: status 0',
  async args => {
    const { code, out, err } = await svc(args, home)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Usage: svc /)
  },
)

describe('without an answer', () => {
  test('nothing listens: status 6, one sentence, and neither a stack trace nor the credential', async () => {
    const { code, out, err } = await either(['offers', 'list'], offline())
    expect([code, out]).toEqual([6, ''])
    expect(err).toMatch(/^svc: Could not connect \(.+\): GET \/offers\n/)
    expect(err).toContain('Check that http://127.0.0.1:9/v1 is the right address and that you are online.')
    expect(err).not.toMatch(/\n\s+at |node:|sk_svc/)
  })

  test('login: status 6', async () => {
    const { code, err } = await svc(['login'], {
      ...home,
      SVC_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    })
    expect(code).toBe(6)
    expect(err).toMatch(
      /^svc: Could not connect \(connection refused\): POST \/oauth\/device_authorization\n/,
    )
  })

  test('a server that never answers: status 6 after --timeout', async () => {
    const server = await serve(() => {})
    const env = { ...offline(), SVC_BASE_URL: server.url }
    const { code, err } = await svc(['offers', 'list', '--timeout', '1s'], env)
    server.close()
    expect(code).toBe(6)
    expect(err).toMatch(/no response within \d+ ms\n {2}It is unknown whether the request was executed\.\n$/)
  })

  test.each([
    ['text', 200, 'hello', 1, 'is not JSON. Is baseUrl the versioned root'],
    ['a page of a proxy', 502, '<h1>Bad gateway</h1>', 6, 'HTTP 502'],
    ['a redirect', 302, '', 1, 'redirected'],
  ])('something else answers: %s', async (_, status, body, expected, said) => {
    const server = await serve((_request, response) => response.writeHead(status).end(body))
    const env = { ...offline(), SVC_BASE_URL: server.url }
    const { code, out, err } = await svc(['offers', 'get', 'offer_1', '--timeout', patient, '--json'], env)
    server.close()
    expect([code, JSON.parse(out).errors[0].code]).toEqual([expected, expected])
    expect(err).toContain(said)
  })

  test('a credential that cannot be sent is not quoted', async () => {
    const { code, err } = await svc(['offers', 'list'], {
      ...offline(),
      SVC_TOKEN: `${secret}\nX-Injected: 1`,
    })
    expect([code, err]).toEqual([3, 'svc: SVC_TOKEN is not a credential.\n'])
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s during a call: status %d', async (signal, expected) => {
    let reached = () => {}
    const asked = new Promise<void>(resolve => {
      reached = resolve
    })
    const server = await serve(() => reached())
    const env = { ...offline(), SVC_BASE_URL: server.url }
    const running = start(['offers', 'create', '--product', 'prod_1'], env)
    await asked
    running.child.kill(signal)
    const { code, err } = await running.ended
    server.close()
    expect(code).toBe(expected)
    // With the key, the person can find out what happened to the offer.
    expect(err).toMatch(/^Idempotency-Key: \S+\nsvc: interrupted\n$/)
  })

  test('a reader that closes the pipe: status 141, without a message', async () => {
    const running = start(['--help'], home)
    running.child.stdout?.destroy()
    expect(await running.ended).toEqual({ code: 141, out: '', err: '' })
  })
})
