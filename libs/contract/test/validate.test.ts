import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { internal } from '../src/core/access.ts'
import { authTokens } from '../src/auth-tokens/auth-tokens.ts'
import { compute } from '../src/compute/compute.ts'
import { ApiError } from '../src/core/errors.ts'
import { offers } from '../src/offers/offers.ts'
import type { Operation } from '../src/core/operation.ts'
import { text } from '../src/core/text.ts'
import { type RawInput, parseInput } from '../src/core/validate.ts'

const raw = (input: Partial<RawInput>): RawInput => ({
  params: {},
  query: new URLSearchParams(),
  headers: {},
  body: undefined,
  ...input,
})

interface Entry {
  code: number
  message: string
  path: string[]
}

/** The entries of the refusal, as `[code, path, message]`. */
function problems(operation: Operation, input: Partial<RawInput>) {
  try {
    parseInput(operation, raw(input))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.tag).toBe('Validation')
    return (error.body as { errors: Entry[] }).errors.map(({ code, path, message }) => [code, path, message])
  }
  return []
}

const { create_offer: create } = offers.operations
const { update_compute_settings } = compute.operations
const { list_api_tokens, revoke_api_token, put_user } = authTokens.operations

describe('a problem in the body names the real field', () => {
  test.each<[string, unknown, [string[], string][]]>([
    ['no body', undefined, [[[], 'The body is required.']]],
    ['a list', [], [[[], 'The body must be an object.']]],
    [
      'an empty object',
      {},
      [[['product_id'], 'product_id is required: send product_id or package_version_id.']],
    ],
    [
      'a text that is empty',
      { product_id: '' },
      [[['product_id'], 'product_id must have at least 1 character.']],
    ],
    [
      'a text that is too long',
      { product_id: 'p'.repeat(56) },
      [[['product_id'], 'product_id must have at most 55 characters.']],
    ],
    ['another type', { product_id: 1 }, [[['product_id'], 'product_id must be a string.']]],
    ['an unknown property', { product_id: 'p', a: 1 }, [[['a'], 'a is not accepted here.']]],
    [
      'two unknown properties',
      { product_id: 'p', a: 1, b: 2 },
      [
        [['a'], 'a is not accepted here.'],
        [['b'], 'b is not accepted here.'],
      ],
    ],
    [
      'an unknown property deep inside',
      { product_id: 'p', customer: { display_name: 'd', mail: 'm' } },
      [[['customer', 'mail'], 'customer.mail is not accepted here.']],
    ],
    [
      'a channel with a tier: variant C',
      { product_id: 'p', offer_channel_id: 'o', tier: 't' },
      [[['tier'], "tier is not accepted with offer_channel_id: the channel's policy decides the terms."]],
    ],
    [
      'a channel without a product: variant C',
      { offer_channel_id: 'o' },
      [[['product_id'], 'product_id is required.']],
    ],
    [
      'a version that is empty: variant B',
      { package_version_id: '' },
      [[['package_version_id'], 'package_version_id must have at least 1 character.']],
    ],
    [
      'an item of a list',
      { product_id: 'p', allowed_emails: ['a@b.example', 'nobody', 5] },
      [
        [['allowed_emails', '1'], 'allowed_emails.1 must be an email address.'],
        [['allowed_emails', '2'], 'allowed_emails.2 must be a string.'],
      ],
    ],
    [
      'an address that is too long',
      { product_id: 'p', allowed_emails: [`${'a'.repeat(250)}@b.example`] },
      [[['allowed_emails', '0'], 'allowed_emails.0 must have at most 254 characters.']],
    ],
    [
      'a list that is too long',
      { product_id: 'p', allowed_emails: Array.from({ length: 51 }, () => 'a@b.example') },
      [[['allowed_emails'], 'allowed_emails must have at most 50 items.']],
    ],
    [
      'a value of a map',
      { product_id: 'p', field_values: { region: { value: null } } },
      [[['field_values', 'region', 'locked'], 'field_values.region.locked is required.']],
    ],
    [
      'a value that is absent',
      { product_id: 'p', field_values: { region: { locked: true } } },
      [[['field_values', 'region', 'value'], 'field_values.region.value is required.']],
    ],
    [
      'a time as text',
      { product_id: 'p', expires_at: '2026-12-01' },
      [[['expires_at'], 'expires_at must be Unix seconds, such as 1796083200.']],
    ],
    [
      'a time with a fraction',
      { product_id: 'p', expires_at: 1796083200.5 },
      [[['expires_at'], 'expires_at must be Unix seconds, such as 1796083200.']],
    ],
    [
      'a number below its minimum',
      { product_id: 'p', max_uses: 0 },
      [[['max_uses'], 'max_uses must be at least 1.']],
    ],
    [
      'a number above its maximum',
      { product_id: 'p', order_ttl_minutes: 1441 },
      [[['order_ttl_minutes'], 'order_ttl_minutes must be at most 1440.']],
    ],
    [
      'a number that is no integer',
      { product_id: 'p', order_ttl_minutes: 1.5 },
      [[['order_ttl_minutes'], 'order_ttl_minutes must be an integer.']],
    ],
    [
      'a choice',
      { product_id: 'p', commercial_mode: 'free' },
      [[['commercial_mode'], 'commercial_mode must be one of paid, non_billable_test.']],
    ],
    [
      'a choice inside',
      { product_id: 'p', pricing_request: { unit_amount: 1, interval: 'month' } },
      [[['pricing_request', 'currency'], 'pricing_request.currency is required.']],
    ],
  ])('%s', (_, body, expected) => {
    expect(problems(create, { body })).toEqual(expected.map(([path, message]) => [40002, path, message]))
  })

  test('an empty body is refused with what it may contain', () => {
    expect(
      problems(update_compute_settings, {
        params: { id: 'clus_a' },
        headers: { 'if-match': 'e' },
        body: {},
      }),
    ).toEqual([[40002, [], 'The body must have at least one of auto_scaling_enabled, max_machines.']])
  })

  test('a problem of a text with its own rule states the rule, and one of its length the length', () => {
    const body = (email: string) => ({ body: { email, password: 'p' } })
    expect(problems(put_user, body('nobody'))).toEqual([
      [40002, ['email'], 'email must be an email address.'],
    ])
    expect(problems(put_user, body(`${'a'.repeat(250)}@b.example`))).toEqual([
      [40002, ['email'], 'email must have at most 254 characters.'],
    ])
  })
})

describe('a misspelled property', () => {
  const messageOf = (body: object) => problems(create, { body: { product_id: 'p', ...body } })[0]?.[2]

  test.each([
    ['note', 'notes'],
    ['Notes', 'notes'],
    ['tire', 'tier'],
    ['expires', 'expires_at'],
    ['maxUses', 'max_uses'],
    ['package-version-id', 'package_version_id'],
    ['alowed_email', 'allowed_emails'],
  ])('%s: did you mean %s?', (given, meant) => {
    expect(messageOf({ [given]: 'x' })).toBe(`${given} is not accepted here: did you mean ${meant}?`)
  })

  test.each(['x', 'nose', 'description', 'is', '', 'constructor'])('%j is like none', given => {
    expect(messageOf({ [given]: 'x' })).toBe(`${given} is not accepted here.`)
  })

  test('is not taken for one that was sent as well', () => {
    expect(messageOf({ notes: 'a', note: 'b' })).toBe('note is not accepted here.')
  })

  test('inside another and in the query has the names that are known there', () => {
    const body = { product_id: 'p', customer: { display_nam: 'd', notes: 'n' } }
    expect(problems(create, { body })).toContainEqual([
      40002,
      ['customer', 'display_nam'],
      'customer.display_nam is not accepted here: did you mean display_name?',
    ])
    expect(problems(create, { body })).toContainEqual([
      40002,
      ['customer', 'notes'],
      'customer.notes is not accepted here.',
    ])
    expect(problems(list_api_tokens, { query: new URLSearchParams('limits=1') })).toEqual([
      [40004, ['limits'], 'limits is not accepted here: did you mean limit?'],
    ])
  })

  test('among thousands costs no more than among ten', () => {
    const body = Object.fromEntries(Array.from({ length: 25_000 }, (_, at) => [`max_use${at}`, 1]))
    const found = problems(create, { body: { product_id: 'p', ...body } })
    expect(
      found.map(([, , message]) => message).filter(message => /did you mean/.test(`${message}`)),
    ).toHaveLength(10)
    // A comparison grows with the square of the length: one of these alone would take minutes.
    const long = { ['max_uses'.repeat(30_000)]: 1 }
    expect(messageOf(long)).toMatch(/ is not accepted here\.$/)
  })
})

describe('a time in milliseconds', () => {
  test.each([
    ['now', 1_763_856_000_000],
    ['in 9999', 253_402_300_799_000],
  ])('the time %s is recognised', (_, expires_at) => {
    expect(problems(create, { body: { product_id: 'p', expires_at } })).toEqual([
      [
        40002,
        ['expires_at'],
        'expires_at must be in Unix seconds, at most 253402300799: it looks like milliseconds.',
      ],
    ])
  })

  test('that is beyond the bound in seconds, too, is only too large', () => {
    expect(problems(create, { body: { product_id: 'p', expires_at: 253_402_300_800_000 } })).toEqual([
      [40002, ['expires_at'], 'expires_at must be at most 253402300799.'],
    ])
  })
})

describe('a problem elsewhere', () => {
  test('a header is named as it is written', () => {
    const body = { product_id: 'p' }
    expect(problems(create, { body, headers: { 'idempotency-key': '' } })).toEqual([
      [40003, ['Idempotency-Key'], 'Idempotency-Key must have at least 1 character.'],
    ])
    expect(problems(create, { body, headers: { 'idempotency-key': 'k'.repeat(65) } })).toEqual([
      [40003, ['Idempotency-Key'], 'Idempotency-Key must have at most 64 characters.'],
    ])
  })

  test.each([
    [undefined, /^If-Match is required/],
    ['', /^If-Match must be one etag/],
    ['*', /^If-Match must be one etag/],
    ['W/"a"', /^If-Match must be one etag/],
    ['"a", "b"', /^If-Match must be one etag/],
    ['"a', /^If-Match must be one etag/],
    [`"${'e'.repeat(65)}"`, /^If-Match must/],
  ])('a problem of If-Match %j says what is expected', (value, message) => {
    const found = problems(update_compute_settings, {
      params: { id: 'clus_a' },
      headers: value === undefined ? {} : { 'if-match': value },
      body: { max_machines: 1 },
    })
    for (const [code, path, text] of found) {
      expect([code, path]).toEqual([40003, ['If-Match']])
      expect(text).toMatch(message)
    }
    expect(found.length).toBeGreaterThan(0)
  })

  test.each([
    ['bare', 'abc_-1'],
    ['in quotes', '"abc_-1"'],
  ])('an etag %s is taken without its quotes', (_, value) => {
    const input = raw({
      params: { id: 'clus_a' },
      headers: { 'if-match': value },
      body: { max_machines: 1 },
    })
    expect(parseInput(update_compute_settings, input).headers).toEqual({ 'if-match': 'abc_-1' })
  })

  test('a problem of the path or the query names a parameter', () => {
    expect(problems(revoke_api_token, { params: { id: 'a b' } })).toEqual([
      [40004, ['id'], 'id must be an id of at most 100 letters, digits, - and _.'],
    ])
    expect(problems(revoke_api_token, {})).toEqual([[40004, ['id'], 'id is required.']])
    expect(problems(list_api_tokens, { query: new URLSearchParams('limit=0&cursor=a=b&x=1') })).toEqual([
      [40004, ['limit'], 'limit must be an integer from 1 to 100.'],
      [40004, ['cursor'], 'cursor must be the next_cursor of an earlier response.'],
      [40004, ['x'], 'x is not accepted here.'],
    ])
  })

  test('a repeated parameter is named once, however often it is given', () => {
    expect(problems(list_api_tokens, { query: new URLSearchParams('limit=1&limit=2&limit=3') })).toEqual([
      [40004, ['limit'], 'limit is given more than once.'],
    ])
  })
})

describe('all problems together', () => {
  test('are reported in one answer', () => {
    const found = problems(update_compute_settings, {
      params: { id: 'a*' },
      headers: { 'if-match': '*' },
      body: { auto_scaling_enabled: 'yes', max_machines: 0 },
    })
    expect(found.map(([code, path]) => [code, path])).toEqual([
      [40004, ['id']],
      [40003, ['If-Match']],
      [40002, ['auto_scaling_enabled']],
      [40002, ['max_machines']],
    ])
  })

  test.each([50, 51, 500])('are at most 50 of %i', length => {
    const body = Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, 1]))
    expect(problems(create, { body: { product_id: 'p', ...body } })).toHaveLength(50)
  })
})

describe('names from the request', () => {
  const operation: Operation = {
    summary: 'Takes little',
    access: internal,
    body: z.strictObject({ a: text(1, 5) }),
    errors: [],
  }

  test.each(['constructor', 'toString', 'hasOwnProperty', 'length'])('%s is an unknown property', name => {
    expect(problems(operation, { body: { a: 'b', [name]: 1 } })).toEqual([
      [40002, [name], `${name} is not accepted here.`],
    ])
    expect(problems(list_api_tokens, { query: new URLSearchParams([[name, '1']]) })).toEqual([
      [40004, [name], `${name} is not accepted here.`],
    ])
  })

  test('an operation without query parameters takes none', () => {
    expect(problems(create, { query: new URLSearchParams('dry_run=1'), body: { product_id: 'p' } })).toEqual([
      [40004, ['dry_run'], 'dry_run is not accepted here.'],
    ])
  })

  test('__proto__ in the query is an unknown parameter', () => {
    expect(problems(list_api_tokens, { query: new URLSearchParams('__proto__=1') })).toEqual([
      [40004, ['__proto__'], '__proto__ is not accepted here.'],
    ])
  })

  test('are cut before they are echoed', () => {
    const [problem] = problems(operation, { body: { a: 'b', ['x'.repeat(10_000)]: 1 } })
    expect(problem).toEqual([40002, [`${'x'.repeat(100)}…`], `${'x'.repeat(100)}… is not accepted here.`])
  })

  test('values are never echoed', () => {
    const secret = 'sk_svc_secret'
    const found = problems(create, { body: { product_id: { secret }, notes: [secret], a: secret } })
    expect(JSON.stringify(found)).not.toContain(secret)
  })
})

describe('what is valid', () => {
  test('gets its defaults', () => {
    const input = raw({ body: { product_id: 'p' } })
    expect(parseInput(create, input)).toEqual({
      params: undefined,
      query: undefined,
      headers: {},
      body: {
        product_id: 'p',
        allowed_emails: [],
        max_uses: 1,
        order_ttl_minutes: 120,
        allow_api_tokens: false,
      },
    })
  })

  test('keeps null where null means something', () => {
    const body = { product_id: 'p', max_uses: null, field_values: { a: { value: null, locked: false } } }
    expect(parseInput(create, raw({ body })).body).toMatchObject(body)
  })

  test('reads no input that is not declared', () => {
    const input = raw({ params: { id: 'tok_a' }, headers: { 'if-match': '*' }, body: { a: 1 } })
    expect(parseInput(revoke_api_token, input)).toEqual({
      params: { id: 'tok_a' },
      query: undefined,
      headers: undefined,
      body: undefined,
    })
  })
})
