import { describe, expect, test } from 'vitest'
import { type CodeName, type Tag, codes, tags } from '../src/core/error-codes.ts'
import {
  ApiError,
  bareError,
  docUrl,
  entryOf,
  envelopeError,
  errorBody,
  maxErrorEntries,
  refusal,
} from '../src/core/errors.ts'

const names = Object.keys(codes) as CodeName[]

describe('the table of codes', () => {
  test('gives every code once', () => {
    const numbers = names.map(name => codes[name][0])
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test.each(names)('%s belongs to the status of its tag, and its message is a sentence', name => {
    const [code, tag, message] = codes[name]
    expect(Math.floor(code / 100)).toBe(tags[tag].status)
    expect(message).toMatch(/^[A-Z].*\.$/)
  })

  test('keeps the codes that clients know (docs/specification.md, R19)', () => {
    const promised = {
      malformed_json: 40001,
      invalid_body: 40002,
      invalid_header: 40003,
      invalid_parameter: 40004,
      credential_missing: 40101,
      credential_invalid: 40102,
      workspace_required: 40301,
      workspace_mismatch: 40302,
      not_a_member: 40303,
      role_too_low: 40304,
      key_reused: 40901,
      key_in_flight: 40902,
      reservation_expired: 40903,
    } satisfies Partial<Record<CodeName, number>>
    for (const [name, code] of Object.entries(promised)) expect(codes[name as CodeName][0]).toBe(code)
  })
})

describe('the table of tags', () => {
  test.each([
    ['Validation', 400],
    ['Unauthorized', 401],
    ['Forbidden', 403],
    ['NotFound', 404],
    ['Conflict', 409],
    ['PayloadTooLarge', 413],
    ['UnsupportedMediaType', 415],
    ['Unprocessable', 422],
    ['RateLimited', 429],
    ['HeadersTooLarge', 431],
    ['Internal', 500],
    ['Unavailable', 503],
    ['Timeout', 504],
    ['ClusterNotFoundError', 404],
    ['ComputeSettingsConflictError', 409],
    ['ComputeSettingsQueryError', 503],
  ] as const)('%s is %d', (tag, status) => {
    expect(tags[tag].status).toBe(status)
  })

  test('has a code for every envelope tag', () => {
    const withCode = new Set<Tag>(names.map(name => codes[name][1]))
    const without = (Object.keys(tags) as Tag[]).filter(tag => !('bare' in tags[tag]) && !withCode.has(tag))
    expect(without).toEqual([])
  })
})

describe('a refusal', () => {
  test.each(names)('%s has the documented body and status', name => {
    const error = refusal(name)
    const [code, tag, message] = codes[name]
    expect(error).toMatchObject({ tag, status: tags[tag].status, reason: name, message })
    const metadata = { doc_url: `/docs/errors#${code}` }
    expect(error.body).toEqual({
      _tag: tag,
      success: false,
      errors: [{ code, message, metadata }],
      result: {},
    })
    expect(errorBody(tag).safeParse(error.body).success).toBe(true)
    expect(error).toBeInstanceOf(ApiError)
  })

  test('takes its own message, path and metadata, and keeps headers out of the body', () => {
    const detail = { message: 'Other words.', path: ['a', '0'], metadata: { free_at: '1' } }
    const error = refusal('reservation_expired', { ...detail, headers: { 'Retry-After': '9' } })
    const metadata = { free_at: '1', doc_url: docUrl(40903) }
    expect(error.body).toMatchObject({ errors: [{ code: 40903, ...detail, metadata }] })
    expect(error.headers).toEqual({ 'Retry-After': '9' })
    expect(entryOf('reservation_expired', detail)).toEqual({ code: 40903, ...detail })
  })

  test.each<[CodeName, Record<string, string>]>([
    ['credential_missing', { 'WWW-Authenticate': 'Bearer' }],
    ['credential_invalid', { 'WWW-Authenticate': 'Bearer error="invalid_token"' }],
    ['unavailable', { 'Retry-After': '1' }],
    ['overloaded', { 'Retry-After': '1' }],
    ['too_many_attempts', { 'Retry-After': '1' }],
    ['timeout', {}],
    ['not_found', {}],
  ])('%s carries %o', (name, headers) => {
    expect(refusal(name).headers).toEqual(headers)
  })

  test('keeps the first 50 of several problems', () => {
    const entries = Array.from({ length: 60 }, (_, at) => ({ code: 40002, message: `${at}` }))
    const error = envelopeError('Validation', entries)
    const kept = entries
      .slice(0, maxErrorEntries)
      .map(one => ({ ...one, metadata: { doc_url: docUrl(40002) } }))
    expect(error.body).toMatchObject({ _tag: 'Validation', errors: kept })
    expect(error.message).toBe('0')
  })
})

describe('the bodies outside the envelope', () => {
  test.each([
    ['ClusterNotFoundError', {}, {}],
    ['ComputeSettingsConflictError', { message: 'm', currentEtag: 'e' }, {}],
    ['ComputeSettingsQueryError', { cause: 'timeout' }, { 'Retry-After': '1' }],
  ] as const)('%s has only its own fields', (tag, fields, headers) => {
    const error = bareError(tag, fields)
    expect(error.body).toEqual({ _tag: tag, ...fields })
    expect(error).toMatchObject({ tag, status: tags[tag].status, headers, reason: undefined })
    expect(errorBody(tag).safeParse(error.body).success).toBe(true)
  })
})
