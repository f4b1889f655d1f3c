/** Shows what is happening, and for how long. */

export interface Progress {
  heading(text: string): void
  /** Another window has been measured; it took `ms`. */
  window(text: string, ms: number): void
}

/** @param estimateMs the estimated duration of a window */
export function createProgress(windows: number, estimateMs: number, say: (line: string) => void): Progress {
  let done = 0
  let spentMs = 0
  say(`${windows} windows, ${duration(windows * estimateMs)} in all`)
  return {
    heading: say,
    window(text, ms) {
      done++
      spentMs += ms
      // The first windows say little about the rest, so the estimate counts like five of them.
      const each = (spentMs + 5 * estimateMs) / (done + 5)
      const count = `${String(done).padStart(String(windows).length)}/${windows}`
      const left = done < windows ? `  ${duration((windows - done) * each)} left` : ''
      say(`${count}  ${text}${left}`)
    },
  }
}

/** `about 12 min` */
export const duration = (ms: number): string =>
  `about ${ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`}`
