// The thread in which everything that a seller wrote is evaluated. It can be stopped at any time.
import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { checkInputSchema } from '../check/check-input-schema.ts'
import { checkValues, checkWhole } from '../evaluate/check-values.ts'
import type { Compiled } from '../evaluate/compile.ts'
import type { Learn, Reply, Task, Validate, WorkerLimits } from './tasks.ts'
import { writeThreadId } from './thread-time.ts'

const limits = workerData as WorkerLimits
writeThreadId(limits.threadId)
const forgotten: string[] = []
const compiled = new LRUCache<string, { schema: Compiled; bytes: number }>({
  max: limits.maxSchemas,
  maxSize: limits.maxSchemaBytes,
  sizeCalculation: ({ bytes }) => bytes,
  dispose: (_, hash, reason) => {
    if (reason === 'evict') forgotten.push(hash)
  },
})

// Half of the heap is left to the next task: what a schema takes grows while its patterns are used, and nobody
// should be refused for what others left behind.
const heapFull = getHeapStatistics().heap_size_limit / 2

/** Answers every task: a throw would be taken for the death of the thread. */
export default function perform(task: Task): Reply {
  try {
    if (task.kind === 'learn') return learn(task)
    if (task.kind === 'validate') return validate(task)
    return warmUp()
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function learn({ hash, schemaText }: Learn): Reply {
  if (createHash('sha256').update(schemaText).digest('hex') !== hash) {
    return { kind: 'fault', message: `the text of the input schema does not have the hash ${hash}` }
  }
  makeRoom()
  const checked = checkInputSchema(schemaText, limits.maxSteps)
  if (!checked.ok) return { kind: 'refused', problems: checked.problems }
  const { schema, secret } = checked
  compiled.set(hash, { schema, bytes: schemaText.length })
  const properties = [...schema.validators.keys()]
  return { kind: 'learned', properties, secret, forgotten: forgotten.splice(0) }
}

function validate({ hash, valuesText, whole }: Validate): Reply {
  const { schema } = compiled.get(hash) ?? {}
  if (!schema) return { kind: 'unknown' }
  const values = JSON.parse(valuesText)
  const problems = whole ? checkWhole(schema, values) : checkValues(schema, values)
  // Afterwards, not before: what was just learned must outlast the task that it was learned for.
  makeRoom()
  return { kind: 'checked', problems, tooExpensive: schema.evaluation.exceeded }
}

function makeRoom() {
  if (getHeapStatistics().used_heap_size > heapFull) compiled.clear()
}

/** Compiles the meta schema, so that no task pays for it out of its time. */
function warmUp(): Reply {
  const checked = checkInputSchema('{"properties":{"a":{"type":"string","pattern":"^a$"}}}')
  return { kind: 'checked', problems: checked.ok ? [] : checked.problems, tooExpensive: false }
}
