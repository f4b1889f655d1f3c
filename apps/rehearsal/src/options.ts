/** The options of `npm run rehearsal`. */
import { parseArgs } from 'node:util'

export const stepNames = [
  'kill-replicas',
  'roll',
  'nats-kill',
  'cut-off-service',
  'cut-off-nats',
  'cut-off-gateway',
  'freeze-gateway',
  'bus-gone',
  'bus-gone-long',
  'postgres-kill',
  'postgres-terminate',
  'freeze-postgres',
  'freeze-nats',
  'freeze-replica',
] as const
export type StepName = (typeof stepNames)[number]

export interface Options {
  /** Fewer rounds and shorter outages: about six minutes. */
  readonly quick: boolean
  readonly only: readonly StepName[]
  /** A file whose table is replaced by this run's. */
  readonly write: string | undefined
  /** Where to write the output of all processes. */
  readonly log: string | undefined
  readonly connections: number
}

export const usage = `npm run rehearsal -- [--quick] [--only <step>]… [--write docs/reliability.md] [--log <file>] [--connections 50]
Steps: ${stepNames.join(', ')}
`

/** @throws Error that says what is wrong with the arguments */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      write: { type: 'string' },
      log: { type: 'string' },
      connections: { type: 'string', default: '50' },
    },
  })
  const unknown = values.only.filter(name => !stepNames.some(step => step === name))
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(', ')}.\n${usage}`)
  const connections = Number(values.connections)
  if (!Number.isInteger(connections) || connections < 1)
    throw new Error(`--connections must be a number from 1.\n${usage}`)
  const { quick, write, log } = values
  if (write !== undefined && values.only.length > 0)
    throw new Error(`--write replaces the whole table, so it needs every step: leave out --only.\n${usage}`)
  return { quick, write, log, only: values.only as StepName[], connections }
}
