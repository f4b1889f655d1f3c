import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { checkInputSchema } from '../check/check-input-schema.ts'
import { checkComplete, checkValues } from '../evaluate/check-values.ts'
import type { CompiledSchema } from '../evaluate/compile.ts'
import type { Compile, Reply, Task, Validate, WorkerLimits } from './tasks.ts'
import { writeThreadId } from './thread-time.ts'

const limits = workerData as WorkerLimits
writeThreadId(limits.threadId)
const evicted: string[] = []
const compiled = new LRUCache<string, { schema: CompiledSchema; bytes: number }>({
  max: limits.maxSchemas,
  maxSize: limits.maxSchemaBytes,
  sizeCalculation: ({ bytes }) => bytes,
  dispose: (_, hash, reason) => {
    if (reason === 'evict') evicted.push(hash)
  },
})

// The other half is left for the next task: a schema's memory grows as its patterns are used, and no task should be
// refused because of earlier ones.
const heapFull = getHeapStatistics().heap_size_limit / 2

/** Never throws: an error would look like a crash of the thread. */
export default function perform(task: Task): Reply {
  try {
    if (task.kind === 'compile') return compile(task)
    if (task.kind === 'validate') return validate(task)
    return warmUp()
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function compile({ hash, schemaText }: Compile): Reply {
  if (createHash('sha256').update(schemaText).digest('hex') !== hash) {
    return { kind: 'fault', message: `the text of the input schema does not have the hash ${hash}` }
  }
  makeRoom()
  const checked = checkInputSchema(schemaText, limits.maxSteps)
  if (!checked.ok) return { kind: 'refused', problems: checked.problems }
  const { schema, secret } = checked
  compiled.set(hash, { schema, bytes: schemaText.length })
  const properties = [...schema.validators.keys()]
  return { kind: 'compiled', properties, secret, evicted: evicted.splice(0) }
}

function validate({ hash, valuesText, complete }: Validate): Reply {
  const { schema } = compiled.get(hash) ?? {}
  if (!schema) return { kind: 'not compiled' }
  const values = JSON.parse(valuesText)
  const problems = complete ? checkComplete(schema, values) : checkValues(schema, values)
  // Afterwards, not before: a schema that was just compiled must outlast the task that it was compiled for.
  makeRoom()
  return { kind: 'checked', problems, tooExpensive: schema.evaluation.exceeded }
}

function makeRoom() {
  if (getHeapStatistics().used_heap_size > heapFull) compiled.clear()
}

/** Compiles the meta schema, so that this does not count towards the time of a task. */
function warmUp(): Reply {
  const checked = checkInputSchema('{"properties":{"a":{"type":"string","pattern":"^a$"}}}')
  return { kind: 'checked', problems: checked.ok ? [] : checked.problems, tooExpensive: false }
}
