/** The loop of every load: lanes that begin anew when they are done; with a rate not before the next is due. */

export interface LoopOptions {
  /** How many acts are in progress at most. */
  readonly lanes: number
  /** An open loop, however long an act takes. Absent: a lane's next act begins when its last has ended. */
  readonly perSecond?: number
  /** The acts, in the plural. */
  readonly what: string
  /** @param dueAt ms of `performance.now()`. What took from then on includes the wait for a lane. */
  act(lane: number, dueAt: number): Promise<unknown>
}

export interface Loop {
  /** Rejects when an act fails, and when acts are a second late, as their times would say nothing. */
  readonly failure: Promise<never>
  /** Waits for that, unless the loop fails before. */
  during<T>(work: Promise<T>): Promise<T>
  /** Begins nothing more, and waits for what is in progress; rejects if the loop has failed. */
  stop(): Promise<void>
}

const mostLateMs = 1000

export function startLoop({ lanes, perSecond, what, act }: LoopOptions): Loop {
  const began = performance.now()
  const sleeping = new Set<() => void>()
  let going = true
  let taken = 0
  const end = () => {
    going = false
    for (const wake of sleeping) wake()
  }
  const ended = Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))
  const failure = ended.then(() => new Promise<never>(() => {}))
  failure.catch(end)
  return {
    failure,
    during: work => Promise.race([work, failure]),
    async stop() {
      end()
      await ended
    },
  }

  async function run(lane: number) {
    while (going) {
      const dueAt = perSecond === undefined ? performance.now() : began + (1000 * taken++) / perSecond
      const early = dueAt - performance.now()
      if (early < -mostLateMs) throw new Error(`${perSecond} ${what} a second are more than it can do.`)
      if (early > 0) await sleep(early)
      if (going) await act(lane, dueAt)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timer)
        sleeping.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.ceil(ms))
      sleeping.add(wake)
    })
  }
}
