import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codes, tags } from '../src/error-codes.ts'

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
const rows = page.split('\n').filter(line => /^\| \d/.test(line))

test('docs/errors.md lists every tag and every code of the contract, and no other', () => {
  const tagRows = Object.entries(tags).map(([tag, { status, means, ...rest }]) => {
    return `| ${status} | \`${tag}\` | ${'bare' in rest ? 'own' : 'envelope'} | ${means} |`
  })
  const codeRows = Object.values(codes).map(([code, tag, message]) => `| ${code} | \`${tag}\` | ${message} |`)
  expect(rows).toEqual([...tagRows, ...codeRows])
})
