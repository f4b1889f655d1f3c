// svc api against the running product, and what it sends, to whom, against a server that keeps what it gets.
import { writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cliScene } from './cli-scene.ts'
import { serve } from './serve.ts'
import { onScreen, svc } from './svc-here.ts'
import type { Env } from './svc-process.ts'

const scene = cliScene()
const { owner, api } = scene
const token = 'session-of-nobody-4711'

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Awaited<ReturnType<typeof serve>>
let asked: Asked[] = []
let answers: { status?: number; body?: string; headers?: Record<string, string> }[] = []
beforeAll(async () => {
  server = await serve(async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers, body: await text(request) })
    const { status = 200, body = '{"data":[]}', headers: more } = answers.shift() ?? {}
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body)
  })
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  answers = []
})

const there = (): Env => ({
  SVC_BASE_URL: server.url,
  SVC_TOKEN: token,
  SVC_WORKSPACE: 'ws_01h455vb4pex5vsknk084sn02q',
})
const sent = async (args: readonly string[], input?: string): Promise<Asked> => {
  const { code, err } = await svc(['api', ...args], there(), input)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(asked).toHaveLength(1)
  return asked[0] as Asked
}

describe('with the product', () => {
  test('it prints what the API answers, with or without /v1', async () => {
    for (const path of ['/v1/packages', 'v1/packages', '/packages', 'packages']) {
      const { code, out, err } = await svc(['api', path], owner())
      expect({ code, err, body: JSON.parse(out) }).toEqual({ code: 0, err: '', body: await api('/packages') })
    }
  })

  test('it creates, changes and deletes', async () => {
    const created = await svc(
      ['api', 'packages', '--raw-field', 'name=007', '--query', '[name, id]'],
      owner(),
    )
    const [name, id] = created.out.trimEnd().split('\n')
    expect([created.code, name]).toEqual([0, '007'])
    const changed = await svc(['api', 'patch', `packages/${id}`, '--field', 'name=renamed'], owner())
    expect(JSON.parse(changed.out)).toMatchObject({ id, name: 'renamed' })
    expect(await svc(['api', 'DELETE', `/v1/packages/${id}`], owner())).toEqual({ code: 0, out: '', err: '' })
    const gone = await svc(['api', `packages/${id}`], owner())
    expect(gone).toMatchObject({ code: 4, err: expect.stringMatching(/^svc: .+\n {2}request id: /) })
    expect(JSON.parse(gone.out)).toMatchObject({ _tag: 'NotFound', success: false })
  })

  test('a refusal keeps its exit status, and is printed once', async () => {
    const refused = await svc(['api', 'packages', '--field', 'nme=x'], owner())
    expect(refused.code).toBe(7)
    expect(JSON.parse(refused.out)._tag).toBe('Validation')
    const json = await svc(['api', 'packages', '--field', 'nme=x', '--json'], owner())
    expect([json.code, JSON.parse(json.out)._tag]).toEqual([7, 'Validation'])
  })

  test('every page is followed', async () => {
    for (const name of ['a', 'b', 'c'])
      await svc(['api', 'packages', '--field', `name=page ${name}`], owner())
    const all = ['api', 'packages', '--paginate', '--field', 'limit=1', '--query', 'data[].name']
    const { code, out } = await svc(all, owner())
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, 3)).toEqual(['page c', 'page b', 'page a'])
    const pages = await svc(['api', 'packages?limit=2', '--paginate'], owner())
    const bodies = pages.out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(bodies.length).toBeGreaterThan(1)
    expect(bodies.at(-1)).toMatchObject({ next_cursor: null })
  })

  test('JSON lines are printed as they are', async () => {
    const { code, out } = await svc(
      ['api', 'audit_log?limit=5', '--header', 'Accept: application/x-ndjson'],
      owner(),
    )
    expect(code).toBe(0)
    for (const line of out.trimEnd().split('\n').filter(Boolean))
      expect(JSON.parse(line)).toHaveProperty('cursor')
  })

  test('in a terminal the body is laid out', async () => {
    const shown = onScreen(['api', 'limits'], owner())
    expect(await shown.ended).toBe(0)
    expect(shown.lines().slice(0, 2)).toEqual(['{', expect.stringMatching(/^ {2}"\w+": /)])
  })
})

describe('what is sent', () => {
  test('fields: typed or text, nested, and from files', async () => {
    const file = join(scene.dir, 'notes.txt')
    await writeFile(file, 'from a file')
    const typed = [
      'a=true',
      'b=false',
      'c=null',
      'd=12',
      'e=-1.5',
      'f=',
      'g=007',
      'h=9007199254740993',
      'i=x=y',
    ]
    const nested = ['j[k]=1', 'j[l][m]=2', 'n[]=1', 'n[]=z', `o=@${file}`, 'p=@-', '__proto__=1']
    const args = [...typed, ...nested].flatMap(field => ['--field', field])
    const { method, url, headers, body } = await sent(
      ['things', ...args, '--raw-field', 'q=@none', '--raw-field', 'r=true'],
      'from input',
    )
    expect([method, url, headers['content-type']]).toEqual(['POST', '/v1/things', 'application/json'])
    expect(headers.authorization).toBe(`Bearer ${token}`)
    expect(JSON.parse(body)).toEqual({
      ...{ a: true, b: false, c: null, d: 12, e: -1.5, f: '', g: '007', h: '9007199254740993', i: 'x=y' },
      ...{ j: { k: 1, l: { m: 2 } }, n: [1, 'z'], o: 'from a file', p: 'from input', q: '@none', r: 'true' },
      ['__proto__']: 1,
    })
  })

  test('the fields of GET and DELETE are the query, and win over that of the path', async () => {
    expect(
      await sent(['GET', 'things?limit=1&x=2', '--field', 'limit=5', '--field', 'q=a b&c']),
    ).toMatchObject({
      url: '/v1/things?limit=5&x=2&q=a+b%26c',
      body: '',
    })
    asked = []
    expect(await sent(['delete', 'things', '--field', 'a=null'])).toMatchObject({
      method: 'DELETE',
      url: '/v1/things?a=',
    })
  })

  test('--input is the body as it is; fields are the query then', async () => {
    const { method, url, body, headers } = await sent(
      ['things', '--input', '-', '--field', 'dry=true', '--header', 'Content-Type: text/plain'],
      '{ "a":\t1 }',
    )
    expect([method, url, body]).toEqual(['POST', '/v1/things?dry=true', '{ "a":\t1 }'])
    expect(headers['content-type']).toBe('text/plain')
  })

  test.each([
    ['offers', 'ws_01h455vb4pex5vsknk084sn02q'],
    ['something/new', 'ws_01h455vb4pex5vsknk084sn02q'],
    ['sessions', undefined],
    ['workspaces/ws_other/members', undefined],
  ])('the workspace, where the path takes one: %s', async (path, workspace) => {
    expect((await sent([path])).headers['svc-context']).toBe(workspace)
  })

  test('a header wins over that of svc', async () => {
    const { headers } = await sent(['offers', '--header', 'svc-context: ws_2', '--header', 'X-Mine:  a: b '])
    expect([headers['svc-context'], headers['x-mine']]).toEqual(['ws_2', 'a: b'])
  })

  test('a cursor that stays the same is followed no further', async () => {
    answers = Array(5).fill({ body: '{"data":[1],"next_cursor":"same"}' })
    const { code, out } = await svc(['api', 'things', '--paginate', '--query', 'data'], there())
    expect([code, out, asked.length]).toEqual([0, '1\n1\n', 2])
  })

  test('below the path of the base URL', async () => {
    await svc(['api', 'offers'], { ...there(), SVC_BASE_URL: `${server.url}/deep` })
    expect(asked).toMatchObject([{ url: '/deep/v1/offers' }])
    expect(asked[0]?.headers['svc-context']).toBeDefined()
  })
})

describe('what is refused before anything is sent', () => {
  test.each([
    ['an address', ['https://evil.example/v1/offers'], 'to the base URL only'],
    ['an address in capitals', ['HTTPS:evil.example'], 'to the base URL only'],
    ['another scheme', ['file:/etc/passwd'], 'to the base URL only'],
    ['another host', ['//evil.example/v1'], 'to the base URL only'],
    ['another host with backslashes', ['\\\\evil.example'], 'to the base URL only'],
    ['another host, half and half', ['/\\evil.example'], 'to the base URL only'],
    ['a backslash', ['offers\\..\\x'], 'no .. or %2e'],
    ['a way up', ['/v1/../oauth/token'], 'no .. or %2e'],
    ['a way up, encoded', ['/v1/%2e%2E/oauth/token'], 'no .. or %2e'],
    ['half a way up, encoded', ['.%2e/oauth'], 'no .. or %2e'],
    ['a fragment', ['offers#x'], 'no .. or %2e'],
    ['a line', ['offers\r\nX-Injected: 1'], 'printable ASCII'],
    ['a tab before a host', ['/\t/evil.example'], 'printable ASCII'],
    ['a space', [' //evil.example'], 'printable ASCII'],
    ['nothing', [''], 'printable ASCII'],
    ['a method', ['BREW', 'offers'], 'Give one of GET, POST'],
    [
      'a header in two lines',
      ['offers', '--header', 'X: 1\r\nX-Injected: 1'],
      "Give a header as 'Name: value'",
    ],
    ['a header without a name', ['offers', '--header', ': 1'], "Give a header as 'Name: value'"],
    ['a name with a space', ['offers', '--header', 'X Y: 1'], "Give a header as 'Name: value'"],
    ['another credential', ['offers', '--header', 'authorization: Bearer s3cret'], 'svc sets the header'],
    ['another host by header', ['offers', '--header', 'Host: evil.example'], 'svc sets the header'],
    ['a query that is none', ['offers', '--query', 'data['], '--query is not JMESPath'],
    ['a field that is none', ['offers', '--field', 's3cret'], 'Give a field as name=value'],
    ['a field twice', ['offers', '--field', 'a=1', '--field', 'a=2'], 'The field a is given twice.'],
    ['two kinds', ['offers', '--field', 'a=1', '--field', 'a[b]=2'], 'more than one kind of thing'],
    ['objects in a list', ['offers', '--field', 'a[][b]=2'], 'a list has plain values only'],
    ['a nested query', ['GET', 'offers', '--field', 'a[b]=2'], 'A query has no fields in fields'],
    ['a file that is not there', ['offers', '--field', 'a=@/none'], '/none cannot be read (ENOENT).'],
    ['standard input twice', ['offers', '--field', 'a=@-', '--input', '-'], 'can be read once only'],
    ['a body of GET', ['GET', 'offers', '--input', '-'], 'GET has no body'],
    ['pages of POST', ['POST', 'offers', '--paginate'], '--paginate is for GET.'],
    ['no path', [], "missing required argument 'method'"],
  ])('%s', async (_, args, said) => {
    const { code, out, err } = await svc(['api', ...args], there())
    expect([code, out, asked]).toEqual([2, '', []])
    expect(err).toContain(said)
    expect(err).not.toContain('s3cret')
    expect(err.replace(/\n/g, '')).not.toMatch(/[\r\t]/)
  })

  test('without a credential: status 3', async () => {
    expect((await svc(['api', 'offers'], { SVC_BASE_URL: server.url })).code).toBe(3)
    expect(asked).toEqual([])
  })
})

describe('what a server answers', () => {
  test.each([
    ['as JSON', `{"_tag":"Odd","errors":[{"code":1,"message":"Bearer ${token}?"}]}`],
    ['as text', `<h1>You sent ${token}</h1>`],
  ])('the credential is not printed from an error: %s', async (_, body) => {
    for (const more of [[], ['--json']]) {
      answers = [{ status: 500, body }]
      const { code, out, err } = await svc(['api', 'offers', ...more], there())
      expect(code).toBe(1)
      expect(out + err).not.toContain(token)
      if (more.length === 0) expect(out).toContain('[credential]')
    }
  })

  test('nor is that of an install, given as a header', async () => {
    answers = [{ status: 403, body: '{"message":"icr_4711 is unknown"}' }]
    const args = ['api', 'installs/inst_1/field_values', '--header', 'svc-install-credential: icr_4711']
    const { code, out, err } = await svc(args, there())
    expect([code, out]).toEqual([3, '{"message":"[credential] is unknown"}\n'])
    expect(err).not.toContain('icr_4711')
  })

  test('a redirect is not followed', async () => {
    answers = [{ status: 302, body: '', headers: { location: `${server.url}/elsewhere` } }]
    const { code, err } = await svc(['api', 'offers'], there())
    expect([code, asked.length]).toEqual([1, 1])
    expect(err).toContain('redirected')
  })

  test('neither JSON nor text controls the terminal', async () => {
    const evil = '\u001b[31m\u009b31m\u202e'
    answers = [{ body: JSON.stringify({ a: evil }) }, { body: `plain ${evil}\r\ntext` }]
    for (const expected of ['"a": "\\u001b[31m\\u009b31m\\u202e"', 'plain \\u001b[31m\\u009b31m\\u202e\\r']) {
      const shown = onScreen(['api', 'things'], there())
      expect(await shown.ended).toBe(0)
      expect(shown.lines().join('\n')).toContain(expected)
      for (const part of ['\u001b[31m', '\u009b', '\u202e']) expect(shown.raw()).not.toContain(part)
    }
  })

  test('what is selected: texts as they are, lists by line, null where there is nothing', async () => {
    const body = '{"data":[{"id":"a","n":1},{"id":"b","n":2}]}'
    const select = async (expression: string) => {
      answers = [{ body }]
      return (await svc(['api', 'things', '--query', expression], there())).out
    }
    expect(await select('data[].id')).toBe('a\nb\n')
    expect(await select('data[?n > `1`].id | [0]')).toBe('b\n')
    expect(await select('data')).toBe('{"id":"a","n":1}\n{"id":"b","n":2}\n')
    expect(await select('data[1:].{name: id}')).toBe('{"name":"b"}\n')
    expect(await select('length(data)')).toBe('2\n')
    expect(await select('none')).toBe('null\n')
    expect(await select('constructor')).toBe('null\n')
  })

  test('what cannot be selected: status 1, with the reason', async () => {
    answers = [{ body: 'hello' }, {}]
    const text = await svc(['api', 'things', '--query', 'a'], there())
    expect(text).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is not JSON') })
    const wrong = await svc(['api', 'things', '--query', 'abs(data)'], there())
    expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^svc: --query: .*abs\(\)/) })
  })

  test('no answer in time: status 6, and it is sent once', async () => {
    const silent = await serve(() => {})
    const env = { ...there(), SVC_BASE_URL: silent.url }
    const { code, err } = await svc(['api', 'offers', '--timeout', '1s'], env)
    silent.close()
    expect([code, err]).toEqual([6, expect.stringContaining('GET /v1/offers: no response within 1000 ms')])
    answers = [{ status: 503, body: '{}' }]
    expect((await svc(['api', 'offers'], there())).code).toBe(6)
    expect(asked).toHaveLength(1)
  })
})
