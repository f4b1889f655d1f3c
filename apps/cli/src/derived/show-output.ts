import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import type { Operation } from '@svc/contract/core/operation'
import { secrets } from '@svc/contract/core/secrets'
import { commandOf } from '@svc/contract/openapi/reference'
import type { CommandSurface } from '@svc/contract/openapi/surface'
import { operations } from '@svc/contract/services'
import type { z } from 'zod'
import type { Cli } from '../cli.ts'
import { timeText } from '../parse-values.ts'
import { printable } from '../terminal/printable.ts'
import { type Column, detailsText, listText } from '../terminal/table.ts'
import {
  isTime,
  present,
  type Properties,
  type Property,
  propertiesOf,
} from '@svc/contract/openapi/json-schema'

type Item = Readonly<Record<string, unknown>>

export function showPage(operation: Operation, surface: CommandSurface) {
  const item = present(propertiesOf(operation.output, 'output').data ?? {}).items?.properties ?? {}
  const names = surface.columns ?? Object.keys(item).filter(name => isPlain(item[name] ?? {}))
  return { things: thingsOf(operation), columns: columnsOf(names, item) }
}

function thingsOf({ http }: Operation): string {
  const last = http?.path.split('/').at(-1) ?? ''
  return last.replaceAll('_', ' ').replace('api', 'API')
}

const isPlain = (property: Property): boolean => {
  const { type, enum: choices } = present(property)
  return choices !== undefined || ['string', 'integer', 'number', 'boolean'].includes(type ?? '')
}

export function showAnswer(
  cli: Cli,
  operation: Operation,
  body: object | undefined,
  surface: Pick<CommandSurface, 'name' | 'columns' | 'done' | 'beside'> = { name: '' },
  id?: unknown,
): void {
  if (!operation.output || body === undefined) {
    if (!cli.options.json)
      cli.note((surface.done ?? `${past(surface.name)} {id}.`).replace('{id}', String(id)))
    return
  }
  cli.print(body, () => textOf(cli, operation, surface.columns, body as Item))
  const secret = Object.entries((operation.output as z.ZodObject).shape ?? {}).find(([, schema]) =>
    secrets.has(schema as z.ZodType),
  )
  if (surface.beside && !cli.options.json) cli.note(surface.beside(body as never))
  if (secret && !cli.options.json) cli.note(`Copy the ${secret[0]} now: it won’t be shown again.`)
}

function textOf(cli: Cli, { output }: Operation, columns: CommandSurface['columns'], body: Item): string {
  const properties = propertiesOf(output, 'output')
  if (columns && Array.isArray(body.data)) {
    const item = present(properties.data ?? {}).items?.properties ?? {}
    return listText(cli.terminal, columnsOf(columns, item), body.data as Item[], 'entries')
  }
  const [only, ...more] = Object.keys(properties)
  if (only !== undefined && more.length === 0 && typeof body[only] !== 'object')
    return `${printable(String(body[only]))}\n`
  const listed = columnsOfList(output)
  const shown = new Set(listed.flatMap(column => column.split(': ')))
  const rest = Object.keys(properties).filter(name => body[name] !== undefined && !shown.has(name))
  const parts = rest.flatMap(name => flattened(name, properties[name] ?? {}))
  const names = [...listed, ...parts.filter(part => !shown.has(part.split(': ')[1] ?? ''))]
  return detailsText(cli.terminal, columnsOf(names, properties), body)
}

function columnsOfList(output: z.ZodType | undefined): readonly string[] {
  const list = operations.find(
    ({ operation }) => itemOf(operation) !== undefined && itemOf(operation) === output,
  )
  return (list && commandOf(list)?.columns) ?? []
}

const itemOf = ({ output }: Operation): unknown =>
  ((output as Partial<z.ZodObject> | undefined)?.shape?.data as Partial<z.ZodArray> | undefined)?.element

/** `agent_has_secret` for `agent`, whose fields are plain; anything else stays on one line, as JSON. */
function flattened(name: string, property: Property): string[] {
  const { properties = {} } = present(property)
  const parts = Object.entries(properties)
  if (parts.length === 0 || !parts.every(([, part]) => isPlain(part))) return [name]
  return parts.map(([part]) => `${name}_${part}: ${name}.${part}`)
}

function past(command: string): string {
  const verb = command.split(' ').at(-1) ?? ''
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1).replace(/e$/, '')}ed`
}

function columnsOf(names: readonly string[], properties: Properties): Column<Item>[] {
  return names.map(said => {
    const [name = '', expression = name] = said.split(': ')
    const found = properties[expression] ?? {}
    const property = present(found)
    const select = expression === name ? undefined : compile(expression)
    const isMoment = isTime(name, found) || isTime(expression.split('.').at(-1) ?? '', { type: 'integer' })
    return {
      name,
      ...(!isMoment &&
        property.enum === undefined &&
        property.type !== 'boolean' &&
        !/(^|_)(id|hash|etag)$/.test(name) && { flexible: true as const }),
      ...(tones[name] && { tone: tones[name] }),
      value: (item: Item) => {
        const value = select ? TreeInterpreter.search(select, item as JSONValue) : item[name]
        return isMoment ? timeText(value as number | null) : valueText(value)
      },
    }
  })
}

function valueText(value: unknown): string | number | boolean | null | undefined {
  if (Array.isArray(value) && value.every(one => typeof one !== 'object')) return value.join(' ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string)
}

type Tone = NonNullable<Column<Item>['tone']>
const ofState: Tone = state => states[state] ?? 'dim'
const states: Readonly<Record<string, ReturnType<Tone>>> = {
  ...{ active: 'green', delivered: 'green', completed: 'green', started: 'green' },
  ...{ pending: 'yellow', awaiting_approval: 'yellow', awaiting_checkout: 'yellow', open: undefined },
  ...{ failed: 'red', disabled: 'red', rejected: 'red', revoked: 'red' },
}

const tones: Readonly<Record<string, Tone>> = {
  state: ofState,
  status: ofState,
  auto_scaling: ofState,
  active: value => (value === 'true' ? 'green' : 'dim'),
  current: () => 'green',
  creator_is_member: value => (value === 'false' ? 'yellow' : undefined),
  failing_since: value => (value === '-' ? undefined : 'red'),
}
