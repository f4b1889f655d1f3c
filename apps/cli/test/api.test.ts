// svc api against the running product, and what it sends. What it refuses: api-attacks.test.ts.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cliScene } from './cli-scene.ts'
import { type Asked, keepingServer, token } from './keeping-server.ts'
import { onScreen, svc } from './svc-here.ts'

const scene = cliScene()
const { owner, api } = scene
const server = keepingServer()
const { asked, answers } = server
const there = server.env

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
    asked.length = 0
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
    answers.push(...Array(5).fill({ body: '{"data":[1],"next_cursor":"same"}' }))
    const { code, out } = await svc(['api', 'things', '--paginate', '--query', 'data'], there())
    expect([code, out, asked.length]).toEqual([0, '1\n1\n', 2])
  })

  test('below the path of the base URL', async () => {
    await svc(['api', 'offers'], { ...there(), SVC_BASE_URL: `${server.url}/deep` })
    expect(asked).toMatchObject([{ url: '/deep/v1/offers' }])
    expect(asked[0]?.headers['svc-context']).toBeDefined()
  })
})
