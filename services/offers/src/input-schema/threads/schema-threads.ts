/** Worker threads that compile schemas and validate values, and the refusal of what a thread was lost over. */
import { scaled } from '@svc/contract/core/deadline-scale'
import { type Problem, isRefusal, problem, type Refusal, refusal } from '../problem.ts'
import { createBlame, type TooExpensiveEvent } from './blame.ts'
import { defaultMaxSteps } from '../evaluate/evaluation.ts'
import { type Compiled, expectReply } from './tasks.ts'
import { startThread, type Thread, ThreadLost } from './thread.ts'
import { startThreadQueue } from './thread-queue.ts'

export interface SchemaThreadsOptions {
  /** Worker threads. One of them checks new schemas, all of them validate. */
  readonly threads?: number
  /** Processor time for checking and compiling one schema. */
  readonly compileLimitMs?: number
  /** Steps for validating the values of one offer or order. */
  readonly maxSteps?: number
  /** Processor time for the same: a safety net, since the steps should run out first on any machine. */
  readonly validateLimitMs?: number
  /** How many callers may wait for a thread, and for how long, before they get `InputSchemaBusy`. */
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  /** Threads end after this long without work; the next work starts them again. */
  readonly idleMs?: number
  /** Heap of one thread. */
  readonly maxMemoryMb?: number
  /** How many compiled schemas one thread keeps, and the total length of their text. */
  readonly maxSchemas?: number
  readonly maxSchemaBytes?: number
  /** Milliseconds; decides when what was too expensive gets another chance. */
  readonly now?: () => number
  /** Called when a schema or values were too expensive, for the log. */
  readonly onTooExpensive?: (event: TooExpensiveEvent) => void
}

/** On whose behalf a thread works, and on which schema. */
export interface Context {
  readonly workspace: string
  readonly package_version_id: string | undefined
  readonly hash: string
}

export interface SchemaThreads {
  /**
   * Checks and compiles a schema on one thread.
   *
   * @param slow whether it is a new schema, which has to keep to one thread
   * @throws InputSchemaBusy
   */
  compile(context: Context, schemaText: string, slow: boolean): Promise<Compiled | Refusal>
  /**
   * Validates values on a thread, which first compiles the schema if necessary.
   *
   * @returns the problems, none if the values are valid
   * @throws InputSchemaBusy
   */
  validate(context: Context, schemaText: string, values: ValuesToCheck): Promise<Problem[]>
  /** Whether a thread has compiled the schema with that hash. */
  hasCompiled(hash: string): boolean
  close(): Promise<void>
}

interface ValuesToCheck {
  /** JSON. */
  readonly valuesText: string
  /** The values are all there are: the keywords of the root apply as well. */
  readonly complete: boolean
}

const tooExpensive = {
  schema: refusal([
    problem(
      [],
      'the input schema is too expensive to evaluate: simplify its references, alternatives and patterns',
    ),
  ]),
  values: refusal([problem([], 'are too expensive to check against the input schema: make them smaller')]),
}

/** The threads start with the first work. */
export function createSchemaThreads(options: SchemaThreadsOptions): SchemaThreads {
  const {
    threads = 2,
    compileLimitMs = scaled(1000),
    validateLimitMs = scaled(3000),
    maxWaiting = 256,
    maxWaitMs = scaled(4000),
    idleMs = 30_000,
  } = options
  const { maxMemoryMb = 192, maxSchemas = 500, maxSchemaBytes = 1024 * 1024 } = options
  const { maxSteps = defaultMaxSteps, now = () => performance.now(), onTooExpensive = () => {} } = options
  const start = () => startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes, maxSteps })
  const queue = startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start })
  const blame = createBlame(now)
  return { compile, validate, hasCompiled: queue.hasCompiled, close: queue.close }

  function compile(context: Context, schemaText: string, slow: boolean) {
    return runGuarded(context, slow, thread => compileOn(thread, context, schemaText))
  }

  async function validate(context: Context, schemaText: string, { valuesText, complete }: ValuesToCheck) {
    const { hash } = context
    const task = { kind: 'validate', hash, valuesText, complete } as const
    const checked = await runGuarded(context, false, async thread => {
      if (blame.has({ ...context, valuesText })) return tooExpensive.values
      const compiled = thread.compiled.has(hash) || (await compileOn(thread, context, schemaText))
      if (isRefusal(compiled)) return compiled
      const reply = await thread.call(task, validateLimitMs)
      if (reply.kind !== 'not compiled') return expectReply(reply, 'checked')
      // The thread was replaced while it was idle, or dropped its schemas to make room.
      thread.compiled.clear()
      const again = await compileOn(thread, context, schemaText)
      return isRefusal(again) ? again : expectReply(await thread.call(task, validateLimitMs), 'checked')
    })
    if (!isRefusal(checked) && checked.tooExpensive) report(context, 'values', 'steps')
    return checked.problems
  }

  async function compileOn(
    thread: Thread,
    { workspace, hash }: Context,
    schemaText: string,
  ): Promise<Compiled | Refusal> {
    // Checked only now that the thread is free: the task before may have been the same one.
    if (blame.has({ workspace, hash })) return tooExpensive.schema
    const reply = await thread.call({ kind: 'compile', hash, schemaText }, compileLimitMs)
    if (reply.kind === 'refused') return refusal(reply.problems)
    const compiled = expectReply(reply, 'compiled')
    thread.compiled.add(hash)
    for (const old of compiled.evicted) thread.compiled.delete(old)
    return compiled
  }

  /** Runs work on a thread. If the thread is lost over it, the workspace is refused the same for a while. */
  async function runGuarded<T>(
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
      return tooExpensive[what]
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
