// The official tests of JSON Schema 2020-12, by the service and by the form, with JSON_SCHEMA_TEST_SUITE set to a clone of
// https://github.com/json-schema-org/JSON-Schema-Test-Suite (no package has them). Otherwise decimals.test.ts and formats.test.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { form, service } from './evaluators.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[]
}

const suite = process.env.JSON_SCHEMA_TEST_SUITE

/** What differs at the commit 44401e0 of the suite. */
const known = readFileSync(new URL('differences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test.runIf(suite)('what differs from the official tests is known, and still differs', () => {
  const folder = join(suite ?? '', 'tests/draft2020-12')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.json'),
  )
  expect(files).not.toEqual([])
  const found = files.flatMap(file =>
    (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Group[]).flatMap(group =>
      differences(file.slice(0, -'.json'.length), group),
    ),
  )
  const listed = known.filter(line => line !== '' && !line.startsWith('#'))
  expect(found.sort()).toEqual(listed.sort())
})

/** The form leaves to the service what it does not check, and everything of a schema that may not be published. */
function differences(file: string, { description: group, schema, tests }: Group): string[] {
  const name = `${file}: ${group}`
  const byService = service(schema)
  if (byService(null) === 'unpublished') return [`unpublished ${name}`]
  const byForm = form(schema)
  return tests.flatMap(({ description, data, valid }) => {
    const expected = valid ? 'valid' : 'invalid'
    const wrong = [
      ...(byService(data) === expected ? [] : ['service']),
      ...([expected, 'unchecked'].includes(byForm(data)) ? [] : ['form']),
    ]
    return wrong.length > 0 ? [`${wrong.join('+')} ${name}: ${description}`] : []
  })
}
