/** Parameters of paths, given by position. */
import { type NamedOperation, operations } from '@svc/contract/services'
import { Argument } from 'commander'
import { parseHash, parseId, parseNumber } from '../parse-values.ts'
import { propertiesOf } from './json-schema.ts'

/** @param form what an id looks like, where no answer says it */
export function idArgument(named: NamedOperation, name: string, form?: string): Argument {
  if (name === 'short_hash')
    return new Argument('<short_hash>', 'what the link of the offer ends with').argParser(parseHash)
  if (name === 'number') return new Argument('<number>', 'the number of the policy').argParser(parseNumber)
  return new Argument(`<${name.replace(/_id$/, '')}>`, form ?? formOf(named, name)).argParser(parseId)
}

/** `pkg_…`: the description of the id that is read at this path. */
function formOf({ operation }: NamedOperation, name: string): string {
  const path = operation.http?.path ?? ''
  const until = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)
  const read = operations.find(({ operation: { http } }) => http?.method === 'GET' && http.path === until)
  const { id } = propertiesOf((read?.operation ?? operation).output, 'output')
  return /`(\w+_…)`/.exec(id?.description ?? '')?.[1] ?? 'its id'
}
