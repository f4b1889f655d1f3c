import { scaled } from '@svc/contract/core/deadline-scale'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallBus } from '@svc/bus/call'
import { defaultBudgetMs } from '@svc/bus/wire'

const patienceMs = scaled(30_000)
const pauseMs = 250

/**
 * Repeats a call that is answered 503, which means that nothing was executed: the machine is busy during the start.
 */
export const patient =
  (call: CallBus): CallBus =>
  async request => {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const answer = await call({ ...request, deadline: Date.now() + defaultBudgetMs })
      if (answer.status !== 503 || Date.now() >= giveUpAt) return answer
      await delay(pauseMs)
    }
  }
