// Answers and how long they took, since a machine may be too slow for so many requests at once.
import { defaultBudgetMs } from '@svc/bus/wire'
import type { Answer, Post } from '../../http.ts'

type TimedAnswer = Answer & { ms: number }

/** Sends all bodies with the key at once, alternating between the gateways. */
export function timedAtOnce(posts: Post[], bodies: object[], key: string): Promise<TimedAnswer[]> {
  const began = performance.now()
  return Promise.all(
    bodies.map(async (body, at) => {
      const answer = (await posts[at % posts.length]?.(body, { key })) as Answer
      return { ...answer, ms: performance.now() - began }
    }),
  )
}

/**
 * On a machine so slow that a request has used most of its budget, it may be asked to retry with its key: the first request
 * is still in progress, nothing was executed, or the outcome is unknown. Earlier than that it is a bug, and any other refusal
 * always is. An idle connection of an earlier request may get its 408 just when a request is sent on it.
 */
export const isTooLate = ({ ms, body }: TimedAnswer) => {
  const code = body.errors?.[0]?.code ?? 0
  return code === 40801 || (ms > defaultBudgetMs / 2 && [40902, 50301, 50302, 50401].includes(code))
}
