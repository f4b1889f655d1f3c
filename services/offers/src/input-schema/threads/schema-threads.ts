/** Worker threads that compile schemas and validate values, and refuse work that has cost them a thread. */
import { scaled } from '@svc/contract/core/deadline-scale'
import { type Problem, isRefusal, problem, type Refusal, refusal } from '../problem.ts'
import { createBlame, type TooExpensiveEvent } from './blame.ts'
import { defaultMaxSteps } from '../evaluate/evaluation.ts'
import { type Compiled, expectReply } from './tasks.ts'
import { startThread, type Thread, ThreadLost } from './thread.ts'
import { startThreadQueue } from './thread-queue.ts'

export interface SchemaThreadsOptions {
  readonly threads?: number
  readonly compileLimitMs?: number
  readonly maxSteps?: number
  readonly validateLimitMs?: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  readonly idleMs?: number
  readonly maxMemoryMb?: number
  /** How many compiled schemas one thread keeps, and the total length of their text. */
  readonly maxSchemas?: number
  readonly maxSchemaBytes?: number
  /** Milliseconds; decides when an input that was too expensive gets another chance. */
  readonly now?: () => number
  readonly onTooExpensive?: (event: TooExpensiveEvent) => void
}

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
  hasCompiled(hash: string): boolean
  close(): Promise<void>
}

interface ValuesToCheck {
  readonly valuesText: string
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
    // Checked only when the thread is free: the previous task may have been the same.
    if (blame.has({ workspace, hash })) return tooExpensive.schema
    const reply = await thread.call({ kind: 'compile', hash, schemaText }, compileLimitMs)
    if (reply.kind === 'refused') return refusal(reply.problems)
    const compiled = expectReply(reply, 'compiled')
    thread.compiled.add(hash)
    for (const old of compiled.evicted) thread.compiled.delete(old)
    return compiled
  }

  /** If the thread is lost, the workspace is refused the same work for a while. */
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
