import { setTimeout as delay } from 'node:timers/promises'
import type { CallBus } from '@svc/bus/call'
import { defaultBudgetMs } from '@svc/bus/wire'

const patienceMs = 30_000
const pauseMs = 250

/** Asks again where the answer is 503, which says that nothing was executed: a machine that just starts is busy. */
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
