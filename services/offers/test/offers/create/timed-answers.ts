// Answers, and how long they took: a machine may be too slow for what is asked of it at once.
import type { Answer, Post } from '../../http.ts'

type TimedAnswer = Answer & { ms: number }

/** Sends all bodies with the key at once, by each gateway in turn. */
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
 * On a machine so slow that nearly all of its five seconds passed a request may be told to come again with its key: the first
 * is in flight still, nothing was executed, or nobody knows. Sooner that is a defect, and any other answer always. A
 * connection that was opened for an earlier request and lay idle since may get its 408 just when a request is sent on it.
 */
export const isTooLate = ({ ms, body }: TimedAnswer) => {
  const code = body.errors?.[0]?.code ?? 0
  return code === 40801 || (ms > 4000 && [40902, 50301, 50302, 50401].includes(code))
}
