import type { Example } from './example.ts'
import { allExamples } from './all-examples.ts'
import type { NamedOperation } from '../services.ts'

/** OpenAPI's Example Objects by name. A request and its answer have the same name. */
export type Examples = Record<string, object>

type Named = Pick<NamedOperation, 'service' | 'name'>

const byOperation = new Map<string, Example[]>()
for (const example of allExamples) {
  if (example.aside) continue
  const key = `${example.service}.${example.operation}`
  byOperation.set(key, [...(byOperation.get(key) ?? []), example])
}

const examplesOf = ({ service, name }: Named) => byOperation.get(`${service}.${name}`) ?? []

/** The first example, from which those of the parameters are taken. */
export const requestOf = (named: Named): Example['request'] => examplesOf(named)[0]?.request ?? {}

/** Omits invalid requests, which only explain their answers. */
export const requestExamples = (named: Named) =>
  collect(
    examplesOf(named).filter(({ request, answer }) => request.body !== undefined && answer.status !== 400),
    ({ request }) => request.body,
  )

export const responseExamples = (named: Named, status: number) =>
  collect(
    examplesOf(named).filter(({ answer }) => answer.status === status),
    ({ answer }) => answer.body,
  )

function collect(examples: Example[], shown: (example: Example) => unknown): Examples | undefined {
  if (examples.length === 0) return undefined
  return Object.fromEntries(
    examples.map(example => [example.name, { summary: example.summary, value: shown(example) }]),
  )
}
