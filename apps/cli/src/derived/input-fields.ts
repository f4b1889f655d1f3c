import type { Operation } from '@svc/contract/core/operation'
import { type CommandSurface, type OptionSurface, optionName } from '@svc/contract/openapi/surface'
import { Argument, type Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { collect, parseDuration, parseInteger, parseTime } from '../parse-values.ts'
import { readJsonInput } from '../read-input.ts'
import { isTime, present, type Present, type Property, schemaOf } from '@svc/contract/openapi/json-schema'

export interface Field {
  readonly part: 'query' | 'body'
  readonly field: string
  readonly property: Present
  /** Without its dashes: `package-version` for `package_version_id`. */
  readonly flag: string
  readonly attribute: string
  readonly help: string
  readonly required: boolean
  readonly said: OptionSurface | undefined
}

const ofPages = ['limit', 'cursor']

/** The fields for options or arguments, without those that every list has. */
export function fieldsOf(operation: Operation, command: CommandSurface): Field[] {
  return (['query', 'body'] as const).flatMap(part =>
    partsOf(schemaOf(operation[part]))
      .filter(({ path }) => part === 'body' || !ofPages.includes(path))
      .map(({ path, property, isRequired }): Field => {
        const said = command.options?.[path]
        const flag = optionName(path, command)
        return {
          part,
          field: path,
          property,
          flag,
          attribute: flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
          help: `${said?.help ?? helpOf(path, property)}${boundsOf(path, property, said)}`,
          required: isRequired && said?.default === undefined && property.default === undefined,
          said,
        }
      }),
  )
}

interface BodyPart {
  readonly path: string
  readonly property: Present
  readonly isRequired: boolean
}

/** All fields that any variant has. An object of plain fields is set by these. */
function partsOf({ properties = {}, required = [], oneOf = [] }: Property): BodyPart[] {
  const own = Object.entries(properties).flatMap(([name, schema]): BodyPart[] => {
    const property = present(schema)
    const inner = partsOf(property)
    const isFlat = inner.every(
      one => !one.path.includes('.') && !/^(object|array)$/.test(one.property.type ?? 'object'),
    )
    if (inner.length > 0 && isFlat)
      return inner.map(one => ({ ...one, path: `${name}.${one.path}`, isRequired: false }))
    return [{ path: name, property, isRequired: required.includes(name) }]
  })
  const variants = oneOf.flatMap(variant => partsOf(variant).map(one => ({ ...one, isRequired: false })))
  return [...new Map([...variants, ...own].map(one => [one.path, one])).values()]
}

export async function inputOf(cli: Cli, fields: readonly Field[], chosen: Values) {
  const input: { readonly query: Values; readonly body: Values } = { query: {}, body: {} }
  for (const one of fields) {
    const value = await readValue(cli, one, chosen[one.attribute])
    if (value !== undefined) put(input[one.part], one.field.split('.'), value)
  }
  return input
}

type Values = Record<string, unknown>

function put(into: Values, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  into[name] ??= {}
  put(into[name] as Values, rest, value)
}

function helpOf(field: string, { description }: Property): string {
  if (description) return description.replaceAll('`', '')
  const noun = field.replace(/_id$/, '').replaceAll('_', ' ')
  return field === 'state' ? 'Only those in this state.' : `Only those of this ${noun}.`
}

function boundsOf(field: string, property: Property, said: OptionSurface | undefined): string {
  const { type, minimum, maximum } = property
  const fallback = said?.default ?? (typeof property.default === 'string' ? property.default : undefined)
  if (fallback !== undefined) return ` (default: ${fallback})`
  const none = said?.none ? `, or ${said.none}` : ''
  if (isTime(field, property)) return ` Unix seconds, ISO 8601, or 30d from now${none}.`
  if (none) return ` A number${none}.`
  if (type === 'integer' && !isDuration(field) && minimum !== undefined && (maximum ?? 1e9) < 1e6)
    return ` ${minimum} to ${maximum}.`
  if (type === 'object') return ' JSON, in a file; - reads standard input.'
  return ''
}

const isDuration = (field: string) => /(_seconds|_in)$/.test(field)

/** Fields that take a JSON object are given as a path, and read when the command runs. */
async function readValue(cli: Cli, { part, property, said }: Field, given: unknown): Promise<unknown> {
  if (given === undefined) return undefined
  // Not earlier: commander would make an empty text of null.
  if (property.nullable && (given === false || given === said?.none)) return null
  if (Array.isArray(given) && given.length === 1 && property.instead?.includes(given[0])) return given[0]
  if (property.type === 'object' && typeof given === 'string') return { ...(await readJsonInput(cli, given)) }
  return part === 'query' ? String(given) : given
}

export function argumentOf({ field, property, help }: Field): Argument {
  const argument = new Argument(`<${field}>`, help)
  return property.enum ? argument.choices(property.enum) : argument
}

export const canClear = ({ property, said }: Field): boolean => Boolean(property.nullable) && !said?.none

export function addOption(command: Command, one: Field, isChange: boolean): void {
  const { flag, property, help, required, said } = one
  const value = property.type === 'boolean' ? '' : ` <${placeholderOf(one)}>`
  const option = new Option(`--${flag}${value}`, help)
  if (property.enum) option.choices(property.enum)
  const parse = parserOf(one)
  if (parse) option.argParser(parse)
  if (said?.default !== undefined) option.default(said.default)
  command.addOption(option.makeOptionMandatory(required))
  if (isChange && canClear(one)) command.option(`--no-${flag}`, 'Remove it.')
}

function placeholderOf({ field, flag, property }: Field): string {
  if (property.type === 'object') return 'path'
  if (isTime(field, property)) return 'time'
  if (isDuration(field)) return 'duration'
  if (property.type === 'integer') return 'n'
  if (/_id$/.test(field)) return 'id'
  return flag.split('-').at(-1) ?? flag
}

type Parser = Parameters<Option['argParser']>[0]

function parserOf({ field, property, said }: Field): Parser | undefined {
  const number = isTime(field, property) ? parseTime : parseInteger
  if (said?.none) return (text: string) => (text === said.none ? text : number(text))
  if (isTime(field, property)) return parseTime
  if (isDuration(field)) return parseDuration
  if (property.type === 'integer') return parseInteger
  if (property.type === 'array') return collect as Parser
  return undefined
}
