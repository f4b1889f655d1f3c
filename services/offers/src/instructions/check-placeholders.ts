import { entryOf, envelopeError } from '@svc/contract/core/errors'
import { hasProperty } from '../input-schema/check/has-property.ts'
import { fieldPath, replacePlaceholders } from './placeholders.ts'

/**
 * @param schema that was checked
 * @throws ApiError `Unprocessable` with an entry for each placeholder that can never be filled in
 */
export function checkPlaceholders(instructions: string, schema: Readonly<Record<string, unknown>>) {
  const names = new Set<string>()
  replacePlaceholders(instructions, name => {
    names.add(name)
    return ''
  })
  const isProperty = hasProperty(schema)
  const problems = [...names].flatMap(name => {
    if (name === 'install.id' || name === 'credential') return []
    const path = fieldPath(name)
    if (path && isProperty(path)) return []
    const shown = `{{ ${name.slice(0, 100)} }}`
    const what = path
      ? 'is not a property of the input schema'
      : 'is unknown: use {{ field.NAME }}, {{ install.id }} or {{ credential }}'
    return [
      entryOf('unknown_placeholder', {
        path: ['instructions'],
        message: `instructions: ${shown} ${what}.`,
      }),
    ]
  })
  if (problems.length > 0) throw envelopeError('Unprocessable', problems.slice(0, 20))
}
