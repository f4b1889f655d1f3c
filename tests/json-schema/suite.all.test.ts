// The official tests of JSON Schema 2020-12, by the service and by the form. In `npm test`: decimals.test.ts and formats.test.ts. A line of
// suite.jsonl is a group of https://github.com/json-schema-org/JSON-Schema-Test-Suite, of tests/draft2020-12 at 44401e0.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { form, service } from './evaluators.ts'

interface Group {
  readonly file: string
  readonly group: string
  readonly schema: unknown
  readonly tests: [description: string, data: unknown, valid: boolean][]
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8').trim()

const groups: Group[] = read('suite.jsonl')
  .split('\n')
  .map(line => JSON.parse(line))

test('what differs from the official tests is known, and still differs', () => {
  const known = read('differences.txt').split('\n')
  const listed = known.filter(line => line !== '' && !line.startsWith('#'))
  expect(groups.flatMap(differences).sort()).toEqual([...listed].sort())
})

/** The form leaves to the service what it does not check, and everything of a schema that may not be published. */
function differences({ file, group, schema, tests }: Group): string[] {
  const name = `${file}: ${group}`
  const byService = service(schema)
  if (byService(null) === 'unpublished') return [`unpublished ${name}`]
  const byForm = form(schema)
  return tests.flatMap(([description, data, valid]) => {
    const expected = valid ? 'valid' : 'invalid'
    const wrong = [
      ...(byService(data) === expected ? [] : ['service']),
      ...([expected, 'unchecked'].includes(byForm(data)) ? [] : ['form']),
    ]
    return wrong.length > 0 ? [`${wrong.join('+')} ${name}: ${description}`] : []
  })
}
