/** Shows what is happening, and for how long. */
import { sum } from './report/statistics.ts'

export interface Progress {
  heading(text: string): void
  /** Another window has been measured; it took `ms`. */
  window(text: string, ms: number): void
}

/** @param estimates the estimated duration of each window, in ms */
export function createProgress(estimates: readonly number[], say: (line: string) => void): Progress {
  const windows = estimates.length
  const allMs = sum(estimates)
  let done = 0
  let spentMs = 0
  let estimatedMs = 0
  say(`${windows} windows, ${duration(allMs)} in all`)
  return {
    heading: say,
    window(text, ms) {
      estimatedMs += estimates[done] ?? 0
      done++
      spentMs += ms
      // The first windows say little about the rest, so the estimate counts like five of them.
      const trustedMs = (5 * allMs) / windows
      const pace = (spentMs + trustedMs) / (estimatedMs + trustedMs)
      const count = `${String(done).padStart(String(windows).length)}/${windows}`
      const left = done < windows ? `  ${duration((allMs - estimatedMs) * pace)} left` : ''
      say(`${count}  ${text}${left}`)
    },
  }
}

/** `about 12 min` */
export const duration = (ms: number): string =>
  `about ${ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`}`
