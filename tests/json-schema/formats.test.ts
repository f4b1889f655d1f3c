// The service and the form check formats alike; all of the official tests: suite.all.test.ts.
import { describe, expect, test } from 'vitest'
import { form, service } from './evaluators.ts'

const cases: Record<string, { valid: string[]; invalid: string[] }> = {
  'date-time': {
    valid: ['2026-11-26T09:00:00Z', '2026-11-26t09:00:00.123456789012345678z', '2026-01-01T08:59:60+09:00'],
    invalid: [
      ...['2026-11-26T09:00:00+09', '2026-11-26T09:00:00+0900', '2026-11-26T09:00:00+9:00'],
      ...['2026-11-26 09:00:00Z', '2026-11-26T09:00:00', '2026-02-29T09:00:00Z', '2026-01-01T09:00:60+09:00'],
      ...['2026-11-26T24:00:00Z', '2026-11-26T09:00:00+24:00', '2026-11-26T09:00Z', '2026-11-26T09:00:00Z\n'],
    ],
  },
  time: {
    valid: ['09:00:00+09:00', '15:59:60-08:00'],
    invalid: ['09:00:00+09', '09:00:00+0900', '24:59:60+01:00'],
  },
  date: {
    valid: ['2024-02-29', '2000-02-29'],
    invalid: ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01'],
  },
  duration: {
    valid: ['P1Y2M3DT4H', 'PT1M', 'P4W'],
    invalid: ['P1Y2D', 'PT1H2S', 'P', 'PT', 'P1DT', 'P1W2D'],
  },
  email: {
    valid: ["o'neil+x@mail.example.com"],
    invalid: ['a@-b.example', 'a@b-.example', 'a@b', 'a..b@c.example'],
  },
  hostname: { valid: ['a-1.example', 'localhost'], invalid: ['example.', '-a.example', 'a_b.example', ''] },
  ipv4: { valid: ['192.0.2.1'], invalid: ['192.0.02.1', '192.0.2', '256.0.0.1'] },
  ipv6: {
    valid: ['::', '2001:db8::1', '::ffff:192.0.2.1'],
    invalid: [':', '1:2:3:4:5:6:7::8', '::ffff:192.0.2.01', '::1%eth0'],
  },
  uri: {
    valid: ['https://u:p@[2001:db8::1]:8080/a?b=%20#c', 'urn:a:b', 'mailto:a@b.example'],
    invalid: [
      'http://h:port/',
      'http://a@b@c/',
      'http:/[::1]',
      '//h/a',
      '/a',
      'http://[::01.2.3.4]/',
      'http://a b/',
    ],
  },
  'uri-reference': { valid: ['/a', '', '//h/a', '../a:b', '#'], invalid: ['1:b', '//h:port', '/a"b', '\\a'] },
  'uri-template': { valid: ["{a.b}'", '{?x,y*}'], invalid: ['{', 'a\u007fb', '{a..b}'] },
  uuid: {
    valid: ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
    invalid: ['urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08aa9811eab4aa73b441d16380'],
  },
}

describe.each([
  ['the service', service],
  ['the form', form],
])('%s', (_, evaluate) => {
  test.each(Object.entries(cases))('%s', (format, { valid, invalid }) => {
    const verdict = evaluate({ format })
    expect(valid.filter(text => verdict(text) !== 'valid')).toEqual([])
    expect(invalid.filter(text => verdict(text) !== 'invalid')).toEqual([])
  })
})

test.each([
  ['byte', 'AAAA', '!!!!\nAAAA'],
  ['regex', '^a\\.b$', '\\a'],
])('%s is checked by the service alone', (format, valid, invalid) => {
  expect(service({ format })(valid)).toBe('valid')
  expect(service({ format })(invalid)).toBe('invalid')
  expect(form({ format })(invalid)).toBe('unchecked')
})
