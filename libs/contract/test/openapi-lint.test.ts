// The document as two linters see it, each with every rule that it has and recommends, and no finding of any severity.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { openApiDocument } from '../src/openapi.ts'

const source = JSON.stringify(openApiDocument())

test('Spectral finds nothing', { timeout: 120_000 }, async () => {
  const spectral = new Spectral()
  // Its own declaration lacks what RulesetDefinition calls required beside `rules`.
  const oas = spectralRulesets.oas as unknown as RulesetDefinition
  spectral.setRuleset({
    extends: [[oas, 'all']],
    // Name, URL and address of a contact: who runs an installation is not known here, and none is made up.
    rules: { 'contact-properties': 'off' },
  })
  const found = await spectral.run(source)
  expect(found.map(({ code, message, path }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
})

test('Redocly finds nothing', { timeout: 120_000 }, async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  ).toEqual([])
})
