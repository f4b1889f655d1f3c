import { boundFields } from '../http/bound-fields.ts'
import { OauthError } from './oauth-error.ts'

const maxLength = 8192

export interface Form {
  /** @throws OauthError if it is repeated or too long; one without a value counts as absent */
  optional(name: string): string | undefined
  /** @throws OauthError also if it is absent */
  required(name: string): string
  /** For the few that may be repeated (RFC 8693, 2.1). */
  every(name: string): string[]
}

export function parseForm(text: string): Form {
  const parameters = new URLSearchParams(boundFields(text))
  const optional = (name: string) => {
    const values = parameters.getAll(name)
    if (values.length > 1) throw new OauthError('invalid_request', `${name} is given more than once.`)
    return bounded(name, values)[0]
  }
  return {
    optional,
    required(name) {
      const value = optional(name)
      if (value === undefined) throw new OauthError('invalid_request', `The parameter ${name} is missing.`)
      return value
    },
    every: name => bounded(name, parameters.getAll(name)),
  }
}

function bounded(name: string, values: string[]): string[] {
  if (values.some(({ length }) => length > maxLength)) {
    throw new OauthError('invalid_request', `${name} is longer than ${maxLength} characters.`)
  }
  return values.filter(value => value !== '')
}
