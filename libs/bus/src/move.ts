import { arrival } from './leave-server.ts'

/** How long a move may take before it counts as a loss; in ticks, so that a stall of this process counts as one. */
const moveTicks = 10
const tickMs = 100

export interface Move {
  readonly arrived: AbortSignal
  /** Set from when we close the old connection. */
  readonly arriving: Promise<void> | undefined
  /** The old connection is about to be closed; `onLate` is called if there is no new one in time. */
  leave(onLate: () => void): void
  end(): void
}

export function newMove(): Move {
  const controller = new AbortController()
  let arriving: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    arrived: controller.signal,
    get arriving() {
      return arriving
    },
    leave(onLate) {
      arriving = arrival(controller.signal)
      let ticks = 0
      timer = setInterval(() => {
        if (++ticks === moveTicks) onLate()
      }, tickMs)
    },
    end() {
      clearInterval(timer)
      controller.abort()
    },
  }
}
