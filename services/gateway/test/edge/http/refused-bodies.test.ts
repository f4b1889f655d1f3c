// Bodies that are refused because of size, type, encoding or content.
import { describe, expect, test } from 'vitest'
import { type Refusal, refused } from '../../answers.ts'
import { type RawRequest, exchange, rawRequest } from '../../raw-http.ts'
import {
  malformedJson,
  invalidBody,
  missingCredential,
  repeatedKey,
  tooLarge,
  unsupportedType,
  unsupportedCharset,
  unsupportedEncoding,
  json,
  post,
  refusalScene,
} from './refusal-scene.ts'

const scene = refusalScene()
const { authorised, expectRequestRefused } = scene

/** A JSON body of that many bytes. */
const bodyOf = (bytes: number) => `{"product_id":"${'a'.repeat(bytes - 17)}"}`

describe('bodies', () => {
  test('one of 256 KB is read', async () => {
    const body = bodyOf(262_144)
    expect(Buffer.byteLength(body)).toBe(262_144)
    await expectRequestRefused(authorised(post({ headers: [json], body })), invalidBody)
  })

  test('one of 256 KB + 1 is refused, with and without a Content-Length', async () => {
    const body = bodyOf(262_145)
    await expectRequestRefused(authorised(post({ headers: [json], body })), tooLarge)
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const headers = [json, 'Transfer-Encoding: chunked']
    await expectRequestRefused(authorised(post({ headers, body: chunked })), tooLarge)
  })

  test('one whose announced length is over the limit is refused before it is sent', async () => {
    const headers = [json, 'Content-Length: 1073741824']
    await expectRequestRefused(authorised(post({ headers, body: '{' })), tooLarge)
  })

  test('none is read from callers without permission', async () => {
    await expectRequestRefused(post({ headers: [json], body: bodyOf(262_145) }), missingCredential)
  })

  test.each([
    ['none', []],
    ['an empty one', ['Content-Type:']],
    ['text', ['Content-Type: text/plain']],
    ['a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['an upload', ['Content-Type: multipart/form-data; boundary=x']],
    ['a type that begins like JSON', ['Content-Type: application/jsonp']],
    ['a type that is built on JSON', ['Content-Type: application/vnd.api+json']],
    ['two in one', ['Content-Type: application/json, text/plain']],
    ['no type', ['Content-Type: json']],
    ['a parameter alone', ['Content-Type: ;application/json']],
  ])('are refused with a content type that is not JSON: %s', async (_, headers) => {
    await expectRequestRefused(authorised(post({ headers, body: '{}' })), unsupportedType)
  })

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ; charset="UTF-8"',
    'application/json;CharSet=Utf-8;',
    'application/json; charset=utf-8; charset="utf-8"',
    'application/json; profile="a; charset=utf-16"',
    'application/json; profile=charset',
    'application/json;',
  ])('are read as %s', async type => {
    const headers = [`Content-Type: ${type}`]
    await expectRequestRefused(authorised(post({ headers, body: '{}' })), invalidBody)
  })

  // RFC 8259, 8.1.
  test.each([
    'utf-16',
    '"utf-16"',
    'UTF-16LE',
    'iso-8859-1',
    'us-ascii',
    'utf8',
    '',
    '""',
    '"utf-8',
    "'utf-8'",
    'utf-8 x',
    'utf-8; charset=utf-16',
    'utf-16; charset=utf-8',
    '\\;'.repeat(5000),
    '"'.repeat(9999),
  ])('are refused in the character set %s, whatever they hold', async charset => {
    const headers = [`Content-Type: application/json; charset=${charset}`]
    const { answers } = await expectRequestRefused(
      authorised(post({ headers, body: '{}' })),
      unsupportedCharset,
    )
    expect(JSON.parse(answers[0]?.text ?? '').errors[0].message).toContain('Content-Type: application/json')
  })

  test('that are missing have no character set', async () => {
    const headers = ['Content-Type: application/json; charset=utf-16']
    await expectRequestRefused(authorised(post({ headers })), invalidBody)
  })

  test.each(['gzip', 'br', 'deflate, gzip', 'GZIP'])('are refused when encoded with %s', async encoding => {
    const headers = [json, `Content-Encoding: ${encoding}`]
    await expectRequestRefused(authorised(post({ headers, body: '{}' })), unsupportedEncoding)
  })

  test('bodies of an operation without one are refused in the same way', async () => {
    const remove = (headers: string[], body: string): RawRequest => ({
      method: 'DELETE',
      target: '/v1/api_tokens/tok_x',
      headers: [
        `Authorization: Bearer ${scene.stack.dev.owner.session_token}`,
        `Svc-Context: ${scene.stack.dev.workspace_id}`,
        ...headers,
      ],
      body,
    })
    await expectRequestRefused(remove(['Content-Type: text/plain'], 'x'), unsupportedType)
    await expectRequestRefused(remove([json], bodyOf(262_145)), tooLarge)
    await expectRequestRefused(remove([json, 'Content-Encoding: gzip'], '{}'), unsupportedEncoding)
  })

  test('bodies of a GET are ignored', async () => {
    const headers = ['Content-Type: text/plain; charset=utf-16', 'Content-Encoding: gzip']
    const request = rawRequest(authorised({ headers, body: 'x'.repeat(300_000) }))
    const { answers } = await exchange(scene.stack.dev.base_url, request, { answers: 1 })
    expect(answers[0]).toMatchObject({ status: 200 })
  })

  test.each<[string, string | Buffer, Refusal]>([
    ['cut off', '{"product_id":', malformedJson],
    ['invalid UTF-8', Buffer.from('{"product_id":"\xff"}', 'latin1'), malformedJson],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, malformedJson],
    ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`, invalidBody],
    ['nothing', '', invalidBody],
    ['null', 'null', invalidBody],
    ['a list', '[]', invalidBody],
    ['a key twice', '{"product_id":"prod_a","product_id":"prod_a"}', repeatedKey],
    ['a number beyond all', '1e999', invalidBody],
    ['__proto__', '{"__proto__":{"product_id":"prod_a"}}', invalidBody],
    ['an escaped U+0000', '{"product_id":"a\\u0000b"}', invalidBody],
  ])('that hold %s are refused', async (_, body, refusal) => {
    await expectRequestRefused(authorised(post({ headers: [json], body })), refusal)
  })

  test('with property names of Object.prototype create nothing by accident', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const body = JSON.stringify({
        product_id: scene.stack.dev.product_id,
        field_values: { [name]: { value: 1, locked: true } },
      })
      await expectRequestRefused(authorised(post({ headers: [json], body })), refused('Unprocessable', 42209))
    }
  })
})
