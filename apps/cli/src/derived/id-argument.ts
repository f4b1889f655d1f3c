import { type NamedOperation, operations } from '@svc/contract/services'
import { Argument } from 'commander'
import type { z } from 'zod'
import { parseHash, parseId, parseNumber } from '../parse-values.ts'

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
  const { shape } = ((read?.operation ?? operation).output ?? {}) as Partial<z.ZodObject>
  return /`(\w+_…)`/.exec(shape?.id?.description ?? '')?.[1] ?? 'its id'
}
