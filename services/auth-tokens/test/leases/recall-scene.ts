/** Recalls, with gateways that answer as each test says. */
import { waitMarginMs } from '@svc/contract/auth-tokens/leases'
import { scaled } from '@svc/contract/core/deadline-scale'
import type { OpenRecallQuestion } from '@svc/bus/recalls'
import type { Database, Sql } from '@svc/runtime/database'
import { waitUntil } from '@svc/local/wait-until'
import type { onOwnClock } from '@svc/testing/own-clock'
import { unhurried } from '@svc/testing/size'
import { setImmediate } from 'node:timers/promises'
import { beforeEach } from 'vitest'
import { createRecall } from '../../src/leases/recall.ts'
import { holdersScene } from './holders-scene.ts'

type Clock = Parameters<Parameters<typeof onOwnClock>[0]>[0]

/** A gateway that has not answered by then is struck out. */
export const patienceMs = scaled(150)

/** What a gateway hears. */
export interface Question {
  readonly holder: string
  readonly subject: string
  readonly principals: readonly string[]
}

export const never = () => new Promise<boolean>(() => {})

/** An answer that comes when a test gives it. */
export function deferred() {
  let answer!: (yes: boolean) => void
  const answered = new Promise<boolean>(resolve => {
    answer = resolve
  })
  return { answer, answered }
}

/** Started for one test file; nobody has been asked, and nobody holds a lease, at the start of a test. */
export function recallScene() {
  const holders = holdersScene()
  let asked: Question[]
  let gateways: string[]
  /** One for each recall, in their order. */
  let statements: Promise<object[]>[]
  beforeEach(() => {
    asked = []
    gateways = []
    statements = []
  })

  const within: Database['within'] = deadline => {
    const sql = holders.database.within(deadline) as (...statement: unknown[]) => Promise<object[]>
    const noted = (...statement: unknown[]) => {
      const rows = sql(...statement)
      statements.push(rows)
      return rows
    }
    return noted as Sql
  }
  const toBeAsked = (count: number) =>
    waitUntil(`${count} questions`, () => asked.length >= count, { everyMs: 1 })
  const isStruckOut = async (id: string): Promise<boolean> => {
    const [row] = await holders.admin`select struck_out from auth_tokens.lease_holders where id = ${id}`
    return row?.struck_out
  }
  return {
    holders,
    async newHolder() {
      const id = await holders.newHolder()
      gateways.push(id)
      return id
    },
    asked: () => asked,
    toBeAsked,
    isStruckOut,
    /** Whether its lease ended 250 ms ago; a timer may be early by a fraction of a millisecond. */
    async isPast(id: string): Promise<boolean> {
      const [row] = await holders.admin`
        select until + make_interval(secs => ${(waitMarginMs - 1) / 1000}) <= clock_timestamp() as past
        from auth_tokens.lease_holders where id = ${id}`
      return row?.past
    },
    toBeStruckOut: (id: string) => waitUntil(`${id} to be struck out`, () => isStruckOut(id)),

    /** A recall whose gateways answer their nth question like this. */
    recallWith(answer: (n: number, question: Question) => Promise<boolean>) {
      const openQuestion: OpenRecallQuestion = (message, acknowledged) => ({
        ask(subject, only) {
          for (const holder of only ? [only] : gateways) {
            const question = { holder, subject, ...(message as { principals: string[] }) }
            asked.push(question)
            const n = asked.filter(one => one.holder === holder).length
            void answer(n, question).then(yes => yes && acknowledged(holder))
          }
        },
        end() {},
      })
      const recall = createRecall({ database: { ...holders.database, within }, openQuestion })
      return (principals: readonly string[], deadline = unhurried()) => recall(principals, deadline)
    },

    /**
     * Moves the clock of a recall until it waits for its only holder.
     *
     * @returns the milliseconds that are to be waited for
     */
    async waitBegins(clock: Clock): Promise<number> {
      await toBeAsked(1)
      clock.tick(patienceMs)
      await waitUntil('the strike', () => statements.length === 2)
      const [struck] = (await statements[1]) as { lease_ms: Record<string, number> }[]
      await setImmediate()
      return Math.floor(Object.values(struck?.lease_ms ?? {})[0] as number) + waitMarginMs
    },
  }
}
