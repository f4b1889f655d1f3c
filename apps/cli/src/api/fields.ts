/** `--field` and `--raw-field`: `name=value`, `name[key]=value` in an object, `name[]=value` in a list. */
import type { Cli } from '../cli.ts'
import { UsageError } from '../failure.ts'
import { readInput } from '../read-input.ts'

export interface Field {
  readonly keys: readonly string[]
  readonly value: Value
}
type Value = string | number | boolean | null

interface Given {
  readonly field?: readonly string[]
  readonly rawField?: readonly string[]
}

/**
 * Values of `--field` are typed: true, false, null, a number, `@file` for the text of a file (`@-`: standard input).
 *
 * @throws UsageError, which does not quote a value: it may be a secret
 */
export async function readFields(cli: Cli, { field = [], rawField = [] }: Given): Promise<Field[]> {
  const fields: Field[] = rawField.map(split)
  for (const { keys, value } of field.map(split)) fields.push({ keys, value: await typed(cli, value) })
  return fields
}

function split(text: string): { keys: string[]; value: string } {
  const [, name, brackets, value] = /^([^[\]=]+)((?:\[[^[\]=]*\])*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || brackets === undefined || value === undefined) {
    throw new UsageError('Give a field as name=value, name[key]=value or name[]=value.')
  }
  return { keys: [name, ...[...brackets.matchAll(/\[(.*?)\]/g)].map(([, key = '']) => key)], value }
}

async function typed(cli: Cli, text: string): Promise<Value> {
  if (text.startsWith('@')) return readInput(cli, text.slice(1))
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  // Only numbers that stay the same when written again: no 007, and none too large to be exact.
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}

/** @throws UsageError if two fields contradict each other */
export function bodyOf(fields: readonly Field[]): object {
  const body = newObject()
  for (const { keys, value } of fields) put(body, keys, value, keys[0] ?? '')
  return body
}

interface Node {
  [key: string]: Value | Node | Value[]
}

/** Without a prototype: __proto__ is a name like any other. */
const newObject = (): Node => Object.create(null)

function put(into: Node, [key = '', next, ...rest]: readonly string[], value: Value, name: string): void {
  const there = into[key]
  if (next === undefined) {
    if (there !== undefined) throw new UsageError(`The field ${name} is given twice.`)
    into[key] = value
  } else if (next === '' && rest.length === 0 && (there === undefined || Array.isArray(there))) {
    into[key] = [...(there ?? []), value]
  } else if (next !== '' && (there === undefined || isNode(there))) {
    const child = there ?? newObject()
    into[key] = child
    put(child, [next, ...rest], value, name)
  } else {
    throw new UsageError(`The field ${name} is more than one kind of thing; a list has plain values only.`)
  }
}

const isNode = (value: Value | Node | Value[]): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Adds fields to a URL's query, replacing parameters of the same names.
 *
 * @throws UsageError
 */
export function addToQuery({ searchParams }: URL, fields: readonly Field[]): void {
  const names = fields.map(({ keys }) => keys.join('.'))
  for (const [at, { keys, value }] of fields.entries()) {
    const [name = ''] = keys
    if (keys.length > 1) throw new UsageError(`A query has no fields in fields: ${name}.`)
    if (names.indexOf(name) !== at) throw new UsageError(`The field ${name} is given twice.`)
    searchParams.set(name, value === null ? '' : String(value))
  }
}
