/**
 * Checks sellers' input schemas and validates values against them, in worker threads and within a budget of steps. A thread
 * that still takes too long is stopped (docs/selling/input-schemas.md).
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { licenceProblems } from './check/licence-problems.ts'
import type { SchemaObject } from './check/schema-tree.ts'
import { isRefusal, type Problem, problem, type Refusal, refusal } from './problem.ts'
import { type Context, createSchemaThreads, type SchemaThreadsOptions } from './threads/schema-threads.ts'
import { unknownProperties } from './unknown-properties.ts'

export type FieldValues = Record<string, unknown>

interface PublishedSchema {
  readonly hash: string
  /** The workspace to blame if it turns out to be too expensive: the sender of the values, or the publisher. */
  readonly workspace: string
  readonly package_version_id: string
  readonly load: () => Promise<string>
}

export interface InputSchemas {
  /**
   * Checks a schema that a workspace wants to publish (JSON Schema 2020-12, parsed JSON).
   *
   * @returns the text to store, and its SHA-256 in hex
   * @throws InputSchemaBusy
   */
  check(
    schema: unknown,
    workspace: string,
  ): Promise<{ ok: true; hash: string; schema_text: string } | Refusal>
  /**
   * Validates values against a published schema. Each key must be a property of the schema's root, and each value
   * valid against that property's schema. With `complete`, `required` and the other keywords of the root apply as
   * well.
   *
   * @throws InputSchemaBusy
   */
  validate(
    offer: PublishedSchema & { readonly values: FieldValues; readonly complete?: boolean },
  ): Promise<{ ok: true } | Refusal>
  /**
   * The properties of a published schema whose values may hold a password.
   *
   * @throws InputSchemaBusy
   */
  secretsOf(version: PublishedSchema): Promise<ReadonlySet<string> | Refusal>
  isReady(hash: string): boolean
  /** Stops the threads. Waiting callers get `InputSchemaBusy`. */
  close(): Promise<void>
}

/** A schema that passed. Its text is kept, since other threads may have to compile it, too. */
interface KnownSchema {
  readonly text: string
  readonly properties: Set<string>
  readonly secret: Set<string>
}

export const maxTextBytes = 64 * 1024
const maxRememberedBytes = 32 * 1024 * 1024
const valid = { ok: true } as const

export function createInputSchemas(options: SchemaThreadsOptions = {}): InputSchemas {
  const threads = createSchemaThreads(options)
  const schemas = new LRUCache<string, KnownSchema>({
    max: 10_000,
    maxSize: maxRememberedBytes,
    sizeCalculation: schema => schema.text.length,
  })
  const loading = new Map<string, Promise<KnownSchema | Refusal>>()

  const isReady = (hash: string) => schemas.has(hash) && threads.hasCompiled(hash)
  return { check, validate, secretsOf, isReady, close: threads.close }

  async function check(schema: unknown, workspace: string) {
    const text = toJson(schema)
    if (text === undefined)
      return refusal([problem([], 'must be a JSON Schema object that is not nested too deeply')])
    const bytes = Buffer.byteLength(text)
    if (bytes > maxTextBytes) {
      return refusal([problem([], `must be at most ${maxTextBytes} bytes long as JSON, and is ${bytes}`)])
    }
    const hash = createHash('sha256').update(text).digest('hex')
    const compiled = await compile({ workspace, hash, package_version_id: undefined }, text, true)
    if ('problems' in compiled) return compiled
    const problems = licenceProblems(schema as SchemaObject, compiled.secret)
    return problems.length > 0 ? refusal(problems) : { ok: true as const, hash, schema_text: text }
  }

  async function validate(offer: Parameters<InputSchemas['validate']>[0]) {
    const { hash, values, complete = false } = offer
    const names = Object.keys(values)
    if (names.length === 0 && !complete) return valid
    const schema = schemas.get(hash) ?? (await load(offer))
    if ('problems' in schema) return schema
    const problems = unknownProperties(names, schema.properties)
    // Without the unknown ones the values are not complete, and the root would report problems that do not exist.
    const checkRoot = complete && problems.length === 0
    if (problems.length < names.length || checkRoot) {
      problems.push(...(await checkKnown(offer, schema, checkRoot)))
    }
    return problems.length > 0 ? refusal(problems) : valid
  }

  async function secretsOf(version: PublishedSchema) {
    const schema = schemas.get(version.hash) ?? (await load(version))
    return 'problems' in schema ? schema : schema.secret
  }

  async function checkKnown(
    { hash, values, workspace, package_version_id }: Parameters<InputSchemas['validate']>[0],
    schema: KnownSchema,
    complete: boolean,
  ): Promise<Problem[]> {
    const known = Object.entries(values).filter(([name]) => schema.properties.has(name))
    const valuesText = toJson(Object.fromEntries(known))
    if (valuesText === undefined) return [problem([], 'must not be nested so deeply')]
    return threads.validate({ workspace, package_version_id, hash }, schema.text, { valuesText, complete })
  }

  function load({ load: readText, ...context }: PublishedSchema) {
    const { workspace, hash } = context
    const name = `${workspace} ${hash}`
    const underWay = loading.get(name)
    if (underWay) return underWay
    const loaded = readText()
      .then(text => compile(context, text, false))
      .finally(() => loading.delete(name))
    loading.set(name, loaded)
    return loaded
  }

  async function compile(context: Context, text: string, slow: boolean): Promise<KnownSchema | Refusal> {
    const compiled = await threads.compile(context, text, slow)
    if (isRefusal(compiled)) return compiled
    const schema = { text, properties: new Set(compiled.properties), secret: new Set(compiled.secret) }
    schemas.set(context.hash, schema)
    return schema
  }
}

/** `undefined` if it is not a JSON value, or is nested deeper than the stack allows. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
