/** Options and arguments for the fields of an operation's query and body. */
import type { Operation } from '@svc/contract/core/operation'
import { type CommandSurface, optionName } from '@svc/contract/openapi/surface'
import { Argument, type Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { collect, parseDuration, parseInteger, parseTime } from '../parse-values.ts'
import { readJsonInput } from '../read-input.ts'
import { isTime, present, type Present, type Property, schemaOf } from '@svc/contract/openapi/json-schema'

export interface Field {
  readonly part: 'query' | 'body'
  readonly field: string
  readonly property: Present
  /** Without its dashes: `package-version` of `package_version_id`. */
  readonly flag: string
  /** As commander names it: `packageVersion`. */
  readonly attribute: string
  readonly help: string
  readonly required: boolean
  readonly nullable: boolean
  readonly fallback: string | undefined
}

const ofPages = ['limit', 'cursor', 'order']

/** The fields that options or arguments set; those that every list has are not among them. */
export function fieldsOf(operation: Operation, command: CommandSurface): Field[] {
  const { options = {} } = command
  return (['query', 'body'] as const).flatMap(part => {
    const { properties = {}, required = [] } = schemaOf(operation[part], 'input')
    return Object.entries(properties).flatMap(([field, schema]): Field[] => {
      if (part === 'query' && ofPages.includes(field)) return []
      const property = present(schema)
      const said = options[field]
      const flag = optionName(field, command)
      return [
        {
          part,
          field,
          property,
          flag,
          attribute: flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
          help: `${said?.help ?? helpOf(field, property)}${boundsOf(field, property, said)}`,
          required: required.includes(field) && said?.default === undefined && property.default === undefined,
          nullable: property.nullable,
          fallback: said?.default,
        },
      ]
    })
  })
}

function helpOf(field: string, { description }: Property): string {
  if (description) return description.replaceAll('`', '')
  const noun = field.replace(/_id$/, '').replaceAll('_', ' ')
  return field === 'state' ? 'Only those in this state.' : `Only those of this ${noun}.`
}

/** What is in no text yet. */
function boundsOf(
  field: string,
  property: Property,
  said: { readonly default?: string } | undefined,
): string {
  const { type, minimum, maximum } = property
  const fallback = said?.default ?? (typeof property.default === 'string' ? property.default : undefined)
  if (fallback !== undefined) return ` (default: ${fallback})`
  if (isTime(field, property)) return ' Unix seconds, ISO 8601, or 30d from now.'
  if (type === 'integer' && !isDuration(field) && minimum !== undefined && (maximum ?? 1e9) < 1e6)
    return ` ${minimum} to ${maximum}.`
  if (type === 'object') return ' JSON, in a file; - reads standard input.'
  return ''
}

const isDuration = (field: string) => /(_seconds|_in)$/.test(field)

/** Fields that take a JSON object are named by a path, and read when the command runs. */
export async function readValue(
  cli: Cli,
  { part, property, nullable }: Field,
  given: unknown,
): Promise<unknown> {
  if (given === undefined) return undefined
  if (nullable && given === false) return null
  if (property.type === 'object' && typeof given === 'string') return { ...(await readJsonInput(cli, given)) }
  return part === 'query' ? String(given) : given
}

export function argumentOf({ field, property, help }: Field): Argument {
  const argument = new Argument(`<${field}>`, help)
  return property.enum ? argument.choices(property.enum) : argument
}

/** @param canClear whether what is there can be taken away */
export function addOption(command: Command, one: Field, canClear: boolean): void {
  const { flag, property, help, required, nullable, fallback } = one
  const value = property.type === 'boolean' ? '' : ` <${placeholderOf(one)}>`
  const option = new Option(`--${flag}${value}`, help)
  if (property.enum) option.choices(property.enum)
  const parse = parserOf(one)
  if (parse) option.argParser(parse)
  if (fallback !== undefined) option.default(fallback, fallback)
  command.addOption(option.makeOptionMandatory(required))
  if (nullable && canClear) command.option(`--no-${flag}`, 'Remove it.')
}

function placeholderOf({ field, flag, property }: Field): string {
  if (property.type === 'object') return 'path'
  if (isTime(field, property)) return 'time'
  if (isDuration(field)) return 'duration'
  if (property.type === 'integer') return 'n'
  if (/_id$/.test(field)) return 'id'
  return flag.split('-').at(-1) ?? flag
}

/** As commander takes one: what it makes depends on the option. */
type Parser = Parameters<Option['argParser']>[0]

function parserOf({ field, property }: Field): Parser | undefined {
  if (isTime(field, property)) return parseTime
  if (isDuration(field)) return parseDuration
  if (property.type === 'integer') return parseInteger
  if (property.type === 'array') return collect as Parser
  return undefined
}
