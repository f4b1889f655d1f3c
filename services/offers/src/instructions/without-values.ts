import { replacePlaceholders } from './placeholders.ts'

/** The longest that a mail quotes, in UTF-16 units. */
export const mostCharacters = 2000

/** What a mail says, which has no values (docs/specification.md, R72): `<host>` for `{{ field.host }}`. */
export const withoutValues = (instructions: string): string => {
  const text = replacePlaceholders(instructions, name => `<${name.replace(/^field\./, '')}>`)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)} …` : text
}
