// Two linters check the document, each with all its rules and recommendations, and find nothing of any severity.
// In `npm test`: openapi.test.ts.
import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { openApiDocument } from '../src/openapi/document.ts'

/** They are installed apart, for this file alone. */
const load = createRequire(new URL('../../testing/linters/package.json', import.meta.url))
const source = JSON.stringify(openApiDocument())

test('Spectral finds nothing', async () => {
  const { Spectral } = load('@stoplight/spectral-core')
  const { oas } = load('@stoplight/spectral-rulesets')
  const spectral = new Spectral()
  spectral.setRuleset({
    extends: [[oas, 'all']],
    // Name, URL and address of a contact: it is not known here who runs an installation, and none is made up.
    rules: {
      'contact-properties': 'off',
      // Their order is the one in which readers need them: selling first, what it stands on after it.
      'openapi-tags-alphabetical': 'off',
    },
  })
  const found: { code: string; message: string; path: string[] }[] = await spectral.run(source)
  expect(found.map(({ code, message, path }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
})

test('Redocly finds nothing', async () => {
  const { createConfig, lintFromString } = load('@redocly/openapi-core')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found: { ruleId: string; message: string; location: { pointer?: string }[] }[] = await lintFromString(
    {
      source,
      absoluteRef: 'openapi.json',
      config,
    },
  )
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  ).toEqual([])
})

test('the examples of headers match their schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false }).addSchema({
    $id: 'document',
    ...openApiDocument(),
  })
  const headers = headersIn(openApiDocument())
  expect(headers.length).toBeGreaterThan(5)
  for (const { schema, example } of headers) {
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
    expect(ajv.validate(rooted, example), JSON.stringify({ schema, example })).toBe(true)
  }
})

/** Those with an example, wherever in the document they are. */
function headersIn(node: unknown): { schema: object; example: unknown }[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === 'headers'
      ? Object.values(value as object).filter(one => one?.schema && 'example' in one)
      : []),
    ...headersIn(value),
  ])
}
