import type { Operation } from '@svc/contract/core/operation'
import { commandOf } from '@svc/contract/openapi/reference'
import { type CommandSurface, optionName } from '@svc/contract/openapi/surface'
import { operations } from '@svc/contract/services'
import type { Scene } from '../shell/scene.ts'
import type { CallSpec } from './command-lines.ts'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'

interface Details {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: readonly FieldSpec[]
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly svc?: string
  readonly args?: readonly string[]
  readonly file?: string
}

const commands = new Map(operations.map(named => [named.operation, commandOf(named)]))

export function callOf(
  { apiUrl, workspace }: Scene,
  operation: Operation,
  { params = {}, query = {}, headers, fields, fixed = {}, svc, args = [], file }: Details,
): CallSpec {
  const { http, access, body } = operation
  const path = (http?.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  const command = commands.get(operation) ?? { name: 'api' }
  const ids = Object.keys(operation.params?.shape ?? {}).filter(name => name !== access.workspaceParam)
  const words = svc ? svc.split(' ') : [...command.name.split(' '), ...ids.map(name => params[name] ?? '')]
  const options = optionsOf(command, { ...filtersOf(query), ...fixed })
  return {
    method: http?.method ?? 'GET',
    url: apiUrl + path + search,
    workspace: access.workspace ? workspace.id : undefined,
    ...(headers && { headers }),
    ...(body && (fields || Object.keys(fixed).length > 0) && { fields: named(command, fields, file), fixed }),
    svc: [...words, ...options, ...args],
    file: file === undefined ? undefined : { flag: `--${optionName(file, command)}`, at: file },
  }
}

const filtersOf = ({ limit: _, order: __, ...filters }: Readonly<Record<string, string>>) => filters

const optionsOf = (command: CommandSurface, values: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(values).flatMap(([name, given]) => {
    const value = given ?? command.options?.[name]?.none
    return typeof value === 'string' || typeof value === 'number'
      ? [`--${optionName(name, command)}`, `${value}`]
      : []
  })

const named = (command: CommandSurface, fields: readonly FieldSpec[] = [], file = ''): FieldSpec[] =>
  fields.map(spec => {
    const { name, at = name } = spec
    if (command.positional?.includes(name)) return { ...spec, isArgument: true }
    const hasOption = typeof at === 'string' && at.split('.')[0] !== file
    return hasOption ? { flag: `--${optionName(at, command)}`, ...spec } : spec
  })
