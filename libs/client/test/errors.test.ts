import { type Tag, tags } from '@svc/contract/core/error-codes'
import { expect, expectTypeOf, test } from 'vitest'
import * as edge from '../src/index.ts'
import {
  ApiResponseError,
  ComputeSettingsConflictError,
  ConflictError,
  errorOf,
  UnavailableError,
} from '../src/errors.ts'
import {
  type Answering,
  clientOf,
  drop,
  json,
  type ScriptedServer,
  startScriptedServer,
  text,
} from './scripted-server.ts'

let server: ScriptedServer | undefined

/** The error of a call that is not retried. */
async function failureOf(answering: Answering): Promise<unknown> {
  server = await startScriptedServer(answering)
  return clientOf(server, { attempts: 1 })
    .offers.list_installs()
    .then(
      () => undefined,
      error => error,
    )
}

test.each(Object.keys(tags) as Tag[])('the tag %s has its own class of that name', tag => {
  const name = tag.endsWith('Error') ? tag : `${tag}Error`
  const error = errorOf({ status: tags[tag].status, headers: new Headers() }, { _tag: tag }, 0)
  expect(error.constructor).toBe((edge as Record<string, unknown>)[name])
  expect(error).toBeInstanceOf(ApiResponseError)
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name, tag, status: tags[tag].status, message: tag, errors: [] })
})

test('classes tell the tags apart, also at compile time', () => {
  const error: unknown = errorOf(
    { status: 409, headers: new Headers() },
    { _tag: 'ComputeSettingsConflictError', message: 'changed', currentEtag: 'e2' },
    0,
  )
  expect(error).not.toBeInstanceOf(ConflictError)
  if (!(error instanceof ComputeSettingsConflictError)) throw new Error('not of its class')
  expectTypeOf(error.tag).toEqualTypeOf<'ComputeSettingsConflictError'>()
  expectTypeOf(error.body.currentEtag).toEqualTypeOf<string>()
  expect(error.body.currentEtag).toBe('e2')
  // @ts-expect-error an error of one tag is not one of another
  const other: ConflictError = error
  expect(other).toBe(error)
})

test('an error has its status, tag, entries, request id, time to wait and body', async () => {
  const errors = [{ code: 50302, message: 'Full.', path: ['a'] }]
  const body = { _tag: 'Unavailable', success: false, errors, result: {} }
  const error = await failureOf(json(503, body, { 'svc-request-id': 'req_1', 'retry-after': '3' }))
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).toMatchObject({
    status: 503,
    tag: 'Unavailable',
    message: 'Full.',
    errors,
    requestId: 'req_1',
    retryAfter: 3,
    body,
  })
  expect(String(error)).toBe('UnavailableError: Full. (code 50302, request req_1)')
})

test.each([
  [
    { _tag: 'ClusterNotFoundError' },
    'ClusterNotFoundError: ClusterNotFoundError (status 404, request req_2)',
  ],
  [
    { _tag: 'NotFound', errors: [{ code: 40402, message: 'No.' }, { code: 40402 }, { code: 40401 }, null] },
    'NotFoundError: No. (code 40402, 40401, request req_2)',
  ],
])('as a text, %j has what support asks for', (body, expected) => {
  const headers = new Headers({ 'svc-request-id': 'req_2' })
  expect(String(errorOf({ status: 404, headers }, body, 0))).toBe(expected)
  const withoutId = errorOf({ status: 404, headers: new Headers() }, body, 0)
  expect(String(withoutId)).toBe(expected.replace(', request req_2', ''))
})

test.each<[string, Answering, object]>([
  ['HTML', text(500, '<h1>Bad</h1>'), { message: 'HTTP 500', tag: undefined, body: undefined }],
  ['null', text(500, 'null'), { body: null }],
  ['a text', text(500, '"out of order"'), { body: 'out of order' }],
  ['a list', text(500, '[]'), { body: [] }],
  ['errors that are none', json(500, { errors: null }), {}],
  ['nothing', text(500, ''), { body: undefined }],
  ['a tag that is newer', json(418, { _tag: 'Teapot' }), { status: 418, tag: 'Teapot', message: 'Teapot' }],
  ['a tag that every object has', json(500, { _tag: 'constructor' }), { tag: 'constructor' }],
  ['a tag that is no text', json(500, { _tag: 7 }), { tag: undefined }],
  ['a redirect', text(301, '', { location: '/elsewhere' }), { status: 301, message: /baseUrl/ }],
])('an answer from elsewhere is an error without a tag: %s', async (_, answering, expected) => {
  const error = await failureOf(answering)
  const { message = /^./, ...rest } = expected as { message?: string | RegExp }
  expect(error).toMatchObject({ name: 'ApiResponseError', errors: [], requestId: null, ...rest })
  expect((error as Error).constructor).toBe(ApiResponseError)
  expect((error as Error).message).toMatch(message)
  expect(server?.received).toHaveLength(1)
})

test.each([
  ['7', 7],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:09 GMT', 9],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is %s seconds', async (value, retryAfter) => {
  expect(await failureOf(json(503, {}, { 'retry-after': value }))).toMatchObject({ retryAfter })
})

test.each<[string, Answering]>([
  ['HTML', text(200, '<h1>Sign in to the network</h1>')],
  ['JSON that ends early', text(200, '{"data":[')],
  ['nothing', text(200, '')],
])('a success without its JSON is an error: %s', async (_, answering) => {
  const error = await failureOf(answering)
  expect(error).toBeInstanceOf(edge.InvalidResponseError)
  expect(error).toMatchObject({ name: 'InvalidResponseError', status: 200, requestId: null })
})

test('a failed connection is reported with its cause, and without what was sent', async () => {
  const error = await failureOf(drop)
  expect(error).toBeInstanceOf(edge.ConnectionError)
  expect(error).toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^Could not connect \(connection lost\): GET \/installs$/),
    cause: expect.any(TypeError),
  })
  expect(String(error)).not.toContain('secret')
})
