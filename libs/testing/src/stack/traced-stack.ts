// A stack whose processes have an SDK of OpenTelemetry, as an operator would load it, and the spans that they made.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@svc/local/wait-until'
import type { WrittenSpan } from './register-tracing.ts'
import { startTestStack, type TestStack, type TestStackOptions } from './stack.ts'

export type TracedStack = TestStack & {
  /** Every span that has ended so far. */
  spans(): Promise<WrittenSpan[]>
  /** Those of one trace, once nothing of it is missing: `root` has ended, and so has every parent and every answered call. */
  trace(trace_id: string, root: string): Promise<WrittenSpan[]>
}

export async function startTracedStack(options: TestStackOptions = {}): Promise<TracedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-spans-'))
  const register = new URL('../../dist/stack/register-tracing.js', import.meta.url).href
  const env = { ...options.env, NODE_OPTIONS: `--import ${register}`, TEST_SPANS: folder }
  const running = await startTestStack({ ...options, env })
  // Asked again and again, so of each file what has been read stays.
  const read = new Map<string, { length: number; spans: WrittenSpan[] }>()
  const spans = async () => {
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8')
      const known = read.get(name) ?? { length: 0, spans: [] }
      // What stands after the last line break is still being written.
      const lines = text
        .slice(known.length, text.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1)
      known.spans.push(...lines.map(line => JSON.parse(line) as WrittenSpan))
      known.length = Math.max(known.length, text.lastIndexOf('\n') + 1)
      read.set(name, known)
    }
    return [...read.values()].flatMap(one => one.spans)
  }
  return {
    ...running,
    spans,
    async trace(trace_id, root) {
      let own: WrittenSpan[] = []
      await waitUntil(`trace ${trace_id} is whole`, async () => {
        own = (await spans()).filter(span => span.trace_id === trace_id)
        return own.some(span => span.name === root) && isWhole(own)
      })
      return own
    },
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** SpanKind of OpenTelemetry. */
const kinds = ['', 'SERVER ', 'CLIENT ', 'PRODUCER ', 'CONSUMER ']

function isWhole(spans: readonly WrittenSpan[]): boolean {
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const parents = new Set(spans.map(({ parent_id }) => parent_id))
  const outside = spans.filter(({ parent_id }) => parent_id !== undefined && !ids.has(parent_id))
  const unanswered = spans.filter(
    ({ span_id, attributes }) =>
      'rpc.method' in attributes && 'svc.status' in attributes && !parents.has(span_id),
  )
  // A server's own span has the method as well, and need not have done anything further.
  return (
    new Set(outside.map(({ parent_id }) => parent_id)).size <= 1 && unanswered.every(({ kind }) => kind === 1)
  )
}

/** A trace as text: `process KIND name` a line, each below its parent, in the order of their beginnings. */
export function treeOf(spans: readonly WrittenSpan[]): string[] {
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const inOrder = spans.toSorted((one, other) => one.start_us - other.start_us)
  const below = (parent: string | undefined, depth: number): string[] =>
    inOrder
      .filter(({ parent_id }) => (ids.has(parent_id ?? '') ? parent_id : undefined) === parent)
      .flatMap(({ process, kind, name, span_id }) => [
        `${'  '.repeat(depth)}${process} ${kinds[kind]}${name}`,
        ...below(span_id, depth + 1),
      ])
  return below(undefined, 0)
}
