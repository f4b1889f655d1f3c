// Sellers' schemas and values: evaluated in worker threads, with a limited number of steps; a thread that
// still takes too long is stopped.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createBlame, type TooExpensiveEvent } from './threads/blame.ts'
import { MAX_STEPS } from './evaluate/evaluation.ts'
import { type Problem, problem, type Refusal, refusal } from './problem.ts'
import type { Learned, Reply } from './threads/tasks.ts'
import { startThread, type Thread, ThreadLost } from './threads/thread.ts'
import { startThreadQueue } from './threads/thread-queue.ts'
import { unknownProperties } from './unknown-properties.ts'

export type InputSchemasOptions = {
  /** Worker threads; one of them checks new schemas, all of them validate. */
  threads?: number
  /** Time for checking and compiling one schema. */
  compileLimitMs?: number
  /** Steps for validating the values of one offer or order, and time, which they take on no machine that does its work. */
  maxSteps?: number
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
  /** Milliseconds; decides when what was too expensive gets another chance. */
  now?: () => number
  /** Called when a schema or values were too expensive, for the log. */
  onTooExpensive?: (event: TooExpensiveEvent) => void
}

export type FieldValues = { [property: string]: unknown }

export type InputSchemas = {
  /**
   * Checks a schema that a workspace wants to publish (JSON Schema 2020-12, parsed JSON). `schema_text` is what must be
   * stored, and `hash` its SHA-256 in hex. Rejects with `InputSchemaBusy`.
   */
  check(
    schema: unknown,
    workspace: string,
  ): Promise<{ ok: true; hash: string; schema_text: string } | Refusal>
  /**
   * Holds values against the published schema of that hash: every key a property of its root, every value valid
   * against that property's schema. `whole`: they are all there are, so that `required` and all else of the root applies
   * as well; else nothing else of it does. `load` gets the stored text, and is called
   * only if this process does not have it; what it throws is passed on. `workspace` sent the values. Rejects with
   * `InputSchemaBusy`.
   */
  validate(offer: {
    hash: string
    workspace: string
    package_version_id: string
    load: () => Promise<string>
    values: FieldValues
    whole?: boolean
  }): Promise<{ ok: true } | Refusal>
  /**
   * The properties of the published schema of that hash whose values may hold a password. `load` as above. Rejects with
   * `InputSchemaBusy`.
   */
  secretsOf(version: {
    hash: string
    workspace: string
    package_version_id: string
    load: () => Promise<string>
  }): Promise<ReadonlySet<string> | Refusal>
  /** Whether the schema is compiled and ready in this process. */
  knows(hash: string): boolean
  /** Stops the threads; whoever still waits gets `InputSchemaBusy`. */
  close(): Promise<void>
}

/** A schema that passed, as this process remembers it to teach further threads. */
type KnownSchema = { text: string; properties: Set<string>; secret: Set<string> }

export const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_TEXT_BYTES = 32 * 1024 * 1024
const OK = { ok: true } as const
const EXPENSIVE = {
  schema: refusal([
    problem(
      [],
      'the input schema is too expensive to evaluate: simplify its references, alternatives and patterns',
    ),
  ]),
  values: refusal([problem([], 'are too expensive to check against the input schema: make them smaller')]),
}

/** Whose work a thread does. */
type Context = { workspace: string; package_version_id: string | undefined; hash: string }

/** Hands out what the operations need. The threads start with the first schema or values that need them. */
export function createInputSchemas(options: InputSchemasOptions = {}): InputSchemas {
  const {
    threads = 2,
    compileLimitMs = 1000,
    validateLimitMs = 3000,
    maxWaiting = 256,
    maxWaitMs = 4000,
    idleMs = 30_000,
  } = options
  const { maxMemoryMb = 192, maxSchemas = 500, maxSchemaBytes = 1024 * 1024, maxSteps = MAX_STEPS } = options
  const { now = () => performance.now(), onTooExpensive = () => {} } = options
  const start = () => startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes, maxSteps })
  const queue = startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start })
  const schemas = new LRUCache<string, KnownSchema>({
    max: 10_000,
    maxSize: MAX_TEXT_BYTES,
    sizeCalculation: schema => schema.text.length,
  })
  const learning = new Map<string, Promise<KnownSchema | Refusal>>()
  const blame = createBlame(now)

  const knows = (hash: string) => schemas.has(hash) && queue.knows(hash)
  return { check, validate, secretsOf, knows, close: queue.close }

  async function check(schema: unknown, workspace: string) {
    const text = toJson(schema)
    if (text === undefined)
      return refusal([problem([], 'must be a JSON Schema object that is not nested too deeply')])
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_SCHEMA_BYTES) {
      return refusal([problem([], `must be at most ${MAX_SCHEMA_BYTES} bytes long as JSON, and is ${bytes}`)])
    }
    const hash = createHash('sha256').update(text).digest('hex')
    const learned = await teach({ workspace, hash, package_version_id: undefined }, text, true)
    return 'problems' in learned ? learned : { ok: true as const, hash, schema_text: text }
  }

  async function validate(offer: Parameters<InputSchemas['validate']>[0]) {
    const { hash, values, whole = false } = offer
    const names = Object.keys(values)
    if (names.length === 0 && !whole) return OK
    const schema = schemas.get(hash) ?? (await learn(offer))
    if ('problems' in schema) return schema
    const problems = unknownProperties(names, schema.properties)
    // Of what is left when some are unknown the root would say what is not so.
    const together = whole && problems.length === 0
    if (problems.length < names.length || together) {
      problems.push(...(await checkKnown(offer, schema, together)))
    }
    return problems.length > 0 ? refusal(problems) : OK
  }

  async function secretsOf(version: Parameters<InputSchemas['secretsOf']>[0]) {
    const schema = schemas.get(version.hash) ?? (await learn(version))
    return 'problems' in schema ? schema : schema.secret
  }

  async function checkKnown(
    { hash, values, workspace, package_version_id }: Parameters<InputSchemas['validate']>[0],
    schema: KnownSchema,
    whole: boolean,
  ): Promise<Problem[]> {
    const known = Object.entries(values).filter(([name]) => schema.properties.has(name))
    const valuesText = toJson(Object.fromEntries(known))
    if (valuesText === undefined) return [problem([], 'must not be nested so deeply')]
    const task = { kind: 'validate', hash, valuesText, whole } as const
    const context = { workspace, package_version_id, hash }
    const checked = await guard(context, false, async thread => {
      if (blame.has({ ...context, valuesText })) return EXPENSIVE.values
      const learned = thread.known.has(hash) || (await teachThread(thread, context, schema.text))
      if (isRefusal(learned)) return learned
      const reply = await thread.call(task, validateLimitMs)
      if (reply.kind !== 'unknown') return expect(reply, 'checked')
      // It was replaced while it was idle, or had to make room.
      thread.known.clear()
      const again = await teachThread(thread, context, schema.text)
      return isRefusal(again) ? again : expect(await thread.call(task, validateLimitMs), 'checked')
    })
    if (!isRefusal(checked) && checked.tooExpensive) report(context, 'values', 'steps')
    return checked.problems
  }

  /** One look-up and one compilation, however many of a workspace ask at once. */
  function learn({ load, ...context }: Context & { load: () => Promise<string> }) {
    const { workspace, hash } = context
    const name = `${workspace} ${hash}`
    const underWay = learning.get(name)
    if (underWay) return underWay
    const learned = load()
      .then(text => teach(context, text, false))
      .finally(() => learning.delete(name))
    learning.set(name, learned)
    return learned
  }

  async function teach(context: Context, text: string, slow: boolean): Promise<KnownSchema | Refusal> {
    const learned = await guard(context, slow, thread => teachThread(thread, context, text))
    if (isRefusal(learned)) return learned
    const schema = { text, properties: new Set(learned.properties), secret: new Set(learned.secret) }
    schemas.set(context.hash, schema)
    return schema
  }

  /** What the thread learned, or what is wrong with the schema. */
  async function teachThread(
    thread: Thread,
    { workspace, hash }: Context,
    schemaText: string,
  ): Promise<Learned | Refusal> {
    // Asked when its turn comes: the one before it may have been the same.
    if (blame.has({ workspace, hash })) return EXPENSIVE.schema
    const reply = await thread.call({ kind: 'learn', hash, schemaText }, compileLimitMs)
    if (reply.kind === 'refused') return refusal(reply.problems)
    const learned = expect(reply, 'learned')
    thread.known.add(hash)
    for (const old of learned.forgotten) thread.known.delete(old)
    return learned
  }

  /** Work on a thread. What a thread is lost over is too expensive for a while, for this workspace. */
  async function guard<T>(
    context: Context,
    slow: boolean,
    perform: (thread: Thread) => Promise<T>,
  ): Promise<T | Refusal> {
    try {
      return await queue.run({ tenant: context.workspace, hash: context.hash, slow, perform })
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      const { task, why } = error
      const what = task.kind === 'validate' ? 'values' : 'schema'
      blame.add({ ...context, ...(task.kind === 'validate' && { valuesText: task.valuesText }) })
      report(context, what, why)
      return EXPENSIVE[what]
    }
  }

  function report(
    { hash, workspace, package_version_id }: Context,
    what: TooExpensiveEvent['what'],
    why: TooExpensiveEvent['why'],
  ) {
    onTooExpensive({ workspace, schema_hash: hash, package_version_id, what, why })
  }
}

const isRefusal = (answer: unknown): answer is Refusal => Object.hasOwn(Object(answer), 'ok')

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
