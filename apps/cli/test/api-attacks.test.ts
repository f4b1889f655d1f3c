// svc api against those who would have the credential, or the terminal: in what it is given, and in what is answered.
import { describe, expect, test } from 'vitest'
import { keepingServer, token } from './keeping-server.ts'
import { serve } from './serve.ts'
import { onScreen, svc } from './svc-here.ts'

const server = keepingServer()
const { asked, answers } = server
const there = server.env

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
      answers.push({ status: 500, body })
      const { code, out, err } = await svc(['api', 'offers', ...more], there())
      expect(code).toBe(1)
      expect(out + err).not.toContain(token)
      if (more.length === 0) expect(out).toContain('[credential]')
    }
  })

  test('nor is that of an install, given as a header', async () => {
    answers.push({ status: 403, body: '{"message":"icr_4711 is unknown"}' })
    const args = ['api', 'installs/inst_1/field_values', '--header', 'svc-install-credential: icr_4711']
    const { code, out, err } = await svc(args, there())
    expect([code, out]).toEqual([3, '{"message":"[credential] is unknown"}\n'])
    expect(err).not.toContain('icr_4711')
  })

  test('a redirect is not followed', async () => {
    answers.push({ status: 302, body: '', headers: { location: `${server.url}/elsewhere` } })
    const { code, err } = await svc(['api', 'offers'], there())
    expect([code, asked.length]).toEqual([1, 1])
    expect(err).toContain('redirected')
  })

  test('neither JSON nor text controls the terminal', async () => {
    const evil = '\u001b[31m\u009b31m\u202e'
    answers.push({ body: JSON.stringify({ a: evil }) }, { body: `plain ${evil}\r\ntext` })
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
      answers.push({ body })
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
    answers.push({ body: 'hello' }, {})
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
    answers.push({ status: 503, body: '{}' })
    expect((await svc(['api', 'offers'], there())).code).toBe(6)
    expect(asked).toHaveLength(1)
  })
})
