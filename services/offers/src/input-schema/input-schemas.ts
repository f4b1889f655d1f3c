// Sellers' schemas and the values that must fit them, as the service sees both: the evaluation happens in
// threads that are stopped when it takes too long.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { list, type Problem, problem, type Refusal, refusal } from './problem.ts'
import type { Reply } from './tasks.ts'
import { startThread, type Thread, ThreadLost } from './thread.ts'
import { startThreadQueue } from './thread-queue.ts'

export type InputSchemasOptions = {
  /** Worker threads; one of them checks new schemas, all of them validate. */
  threads?: number
  /** Time for checking and compiling one schema. */
  compileLimitMs?: number
  /** Time for validating the values of one offer. */
  validateLimitMs?: number
  /** How many callers may wait for a thread, and for how long, before they get `InputSchemaBusy`. */
  maxWaiting?: number
  maxWaitMs?: number
  /** Without work for so long, the threads end; the next work starts them again. */
  idleMs?: number
  /** Heap of one thread. */
  maxMemoryMb?: number
  /** Compiled schemas kept by one thread: how many, and of what length of text together. */
  maxSchemas?: number
  maxSchemaBytes?: number
  /** Milliseconds; decides when a schema that was too expensive gets another chance. */
  now?: () => number
  /** Told of every thread that had to be replaced, for the log. */
  onThreadLost?: (lost: { hash: string; why: 'time' | 'crash' }) => void
}

export type FieldValues = { [property: string]: unknown }

export type InputSchemas = {
  /**
   * Checks a schema that is to be published (JSON Schema 2020-12, parsed JSON). `schema_text` is what must be
   * stored, and `hash` its SHA-256 in hex. Rejects with `InputSchemaBusy`.
   */
  check(schema: unknown): Promise<{ ok: true; hash: string; schema_text: string } | Refusal>
  /**
   * Holds values against the published schema of that hash: every key a property of its root, every value valid
   * against that property's schema. `whole`: they are all there are, so that `required` and all else of the root applies
   * as well; else nothing else of it does. `load` gets the stored text, and is called
   * only if this process does not have it; what it throws is passed on. Rejects with `InputSchemaBusy`.
   */
  validate(offer: {
    hash: string
    load: () => Promise<string>
    values: FieldValues
    whole?: boolean
  }): Promise<{ ok: true } | Refusal>
  /** Whether the schema is compiled and ready in this process. */
  knows(hash: string): boolean
  /** Stops the threads; whoever still waits gets `InputSchemaBusy`. */
  close(): Promise<void>
}

/** A schema that passed, as this process remembers it to teach further threads. */
type KnownSchema = { text: string; properties: Set<string> }

export const MAX_SCHEMA_BYTES = 64 * 1024
const TOO_EXPENSIVE_MS = 60_000
const MAX_TEXT_BYTES = 32 * 1024 * 1024
const OK = { ok: true } as const
const TOO_EXPENSIVE = refusal([
  problem(
    [],
    'the input schema is too expensive to evaluate: simplify its references, alternatives and patterns',
  ),
])

/** Hands out what the operations need. The threads start with the first schema or values that need them. */
export function createInputSchemas(options: InputSchemasOptions = {}): InputSchemas {
  const {
    threads = 2,
    compileLimitMs = 1000,
    validateLimitMs = 250,
    maxWaiting = 256,
    maxWaitMs = 4000,
    idleMs = 30_000,
  } = options
  const { maxMemoryMb = 192, maxSchemas = 500, maxSchemaBytes = 1024 * 1024 } = options
  const { now = () => performance.now(), onThreadLost = () => {} } = options
  const start = () => startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes })
  const queue = startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start })
  const schemas = new LRUCache<string, KnownSchema>({
    max: 10_000,
    maxSize: MAX_TEXT_BYTES,
    sizeCalculation: schema => schema.text.length,
  })
  const learning = new Map<string, Promise<KnownSchema | Refusal>>()
  // Forgotten after a minute: a busy machine can make any schema late once.
  const tooExpensive = new LRUCache<string, true>({
    max: 10_000,
    ttl: TOO_EXPENSIVE_MS,
    ttlResolution: 0,
    perf: { now },
  })

  return { check, validate, knows: hash => schemas.has(hash) && queue.knows(hash), close: queue.close }

  async function check(schema: unknown) {
    const text = toJson(schema)
    if (text === undefined)
      return refusal([problem([], 'must be a JSON Schema object that is not nested too deeply')])
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_SCHEMA_BYTES) {
      return refusal([problem([], `must be at most ${MAX_SCHEMA_BYTES} bytes long as JSON, and is ${bytes}`)])
    }
    const hash = createHash('sha256').update(text).digest('hex')
    const learned = await teach(hash, text, true)
    return 'problems' in learned ? learned : { ok: true as const, hash, schema_text: text }
  }

  async function validate({ hash, load, values, whole = false }: Parameters<InputSchemas['validate']>[0]) {
    const names = Object.keys(values)
    if (names.length === 0 && !whole) return OK
    if (tooExpensive.has(hash)) return TOO_EXPENSIVE
    const schema = schemas.get(hash) ?? (await learn(hash, load))
    if ('problems' in schema) return schema
    const problems = unknownProperties(names, schema)
    // Of what is left when some are unknown the root would say what is not so.
    const together = whole && problems.length === 0
    if (problems.length < names.length || together) {
      problems.push(...(await checkKnown(hash, schema, values, together)))
    }
    return problems.length > 0 ? refusal(problems) : OK
  }

  async function checkKnown(
    hash: string,
    schema: KnownSchema,
    values: FieldValues,
    whole: boolean,
  ): Promise<Problem[]> {
    const known = Object.entries(values).filter(([name]) => schema.properties.has(name))
    const valuesText = toJson(Object.fromEntries(known))
    if (valuesText === undefined) return [problem([], 'must not be nested so deeply')]
    return guard(hash, false, async thread => {
      const task = { kind: 'validate', hash, valuesText, whole } as const
      if (!thread.known.has(hash)) await teachThread(thread, hash, schema.text)
      let reply = await thread.call(task, validateLimitMs)
      if (reply.kind === 'unknown') {
        // It was replaced while it was idle, or had to make room.
        thread.known.clear()
        await teachThread(thread, hash, schema.text)
        reply = await thread.call(task, validateLimitMs)
      }
      return expect(reply, 'checked').problems
    }).then(answer => ('problems' in answer ? answer.problems : answer))
  }

  /** One look-up and one compilation, however many ask at once. */
  function learn(hash: string, load: () => Promise<string>): Promise<KnownSchema | Refusal> {
    const underWay = learning.get(hash)
    if (underWay) return underWay
    const learned = load()
      .then(text => teach(hash, text, false))
      .finally(() => learning.delete(hash))
    learning.set(hash, learned)
    return learned
  }

  async function teach(hash: string, text: string, slow: boolean): Promise<KnownSchema | Refusal> {
    const learned = await guard(hash, slow, thread => teachThread(thread, hash, text))
    if ('problems' in learned) return learned
    const schema = { text, properties: new Set(learned) }
    schemas.set(hash, schema)
    return schema
  }

  /** The names of the root's properties, or what is wrong with the schema. */
  async function teachThread(thread: Thread, hash: string, schemaText: string): Promise<string[] | Refusal> {
    const reply = await thread.call({ kind: 'learn', hash, schemaText }, compileLimitMs)
    if (reply.kind === 'refused') return refusal(reply.problems)
    const { properties, forgotten } = expect(reply, 'learned')
    thread.known.add(hash)
    for (const old of forgotten) thread.known.delete(old)
    return properties
  }

  /** Work on a thread; a thread that is lost over it makes the schema too expensive for a while. */
  async function guard<T>(
    hash: string,
    slow: boolean,
    perform: (thread: Thread) => Promise<T>,
  ): Promise<T | Refusal> {
    try {
      // Asked when its turn comes: the one before it may have been about the same schema.
      return await queue.run({
        hash,
        slow,
        perform: async t => (tooExpensive.has(hash) ? TOO_EXPENSIVE : perform(t)),
      })
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      tooExpensive.set(hash, true)
      onThreadLost({ hash, why: error.why })
      return TOO_EXPENSIVE
    }
  }
}

function unknownProperties(names: string[], { properties }: KnownSchema): Problem[] {
  const unknown = names.filter(name => !properties.has(name))
  if (unknown.length === 0) return []
  const message =
    properties.size > 0
      ? `unknown property, known are: ${list(properties)}`
      : 'unknown property, there are none'
  return unknown.map(name => ({ ...problem([name], message), unknown: true }))
}

function expect<K extends Reply['kind']>(reply: Reply, kind: K): Extract<Reply, { kind: K }> {
  if (reply.kind === kind) return reply as Extract<Reply, { kind: K }>
  throw new Error(
    reply.kind === 'fault' ? reply.message : `a worker thread answered ${reply.kind}, not ${kind}`,
  )
}

/** `undefined` for what is no JSON value, or nests deeper than the stack is. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
