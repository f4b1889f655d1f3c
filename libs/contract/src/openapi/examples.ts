import type { Example } from './example.ts'
import { examplesOf } from './all-examples.ts'
import type { NamedOperation } from '../services.ts'

/** OpenAPI's Example Objects by name. A request and its answer have the same name. */
export type Examples = Record<string, object>

type Named = Pick<NamedOperation, 'service' | 'name'>

const shown = (named: Named) => examplesOf(named).filter(({ aside }) => !aside)

/** The first example, from which those of the parameters are taken. */
export const requestOf = (named: Named): Example['request'] => shown(named)[0]?.request ?? {}

/** Omits invalid requests, which only explain their answers. */
export const requestExamples = (named: Named) =>
  collect(
    shown(named).filter(({ request, answer }) => request.body !== undefined && answer.status !== 400),
    ({ request }) => request.body,
  )

export const responseExamples = (named: Named, status: number) =>
  collect(
    shown(named).filter(({ answer }) => answer.status === status),
    ({ answer }) => answer.body,
  )

function collect(examples: Example[], shown: (example: Example) => unknown): Examples | undefined {
  if (examples.length === 0) return undefined
  return Object.fromEntries(
    examples.map(example => [example.name, { summary: example.summary, value: shown(example) }]),
  )
}
