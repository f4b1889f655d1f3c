/** What has to be undone at the end, however the run ends. */

export interface Cleanup {
  /** Undone in reverse order of being added. Calling the result forgets it. */
  add(undo: () => unknown): () => void
  /**
   * Starts something that has to be undone. If the run ends in the middle of the start, the end waits for it.
   *
   * @throws Error once the end has begun
   */
  own<T>(start: () => Promise<T>, undo: (started: T) => unknown): Promise<T>
  /** Runs everything once; a second call waits for the first. */
  run(): Promise<void>
}

export function createCleanup(): Cleanup {
  const steps: (() => unknown)[] = []
  const starting = new Set<Promise<unknown>>()
  let running: Promise<void> | undefined

  const add = (undo: () => unknown) => {
    steps.push(undo)
    return () => {
      const at = steps.indexOf(undo)
      if (at >= 0) steps.splice(at, 1)
    }
  }
  const runAll = async () => {
    await Promise.allSettled(starting)
    for (let step = steps.pop(); step; step = steps.pop()) {
      // A failure must not keep the others from being undone.
      await Promise.resolve()
        .then(step)
        .catch(error =>
          process.stderr.write(`cleaning up: ${error instanceof Error ? error.message : error}\n`),
        )
    }
  }
  return {
    add,
    async own(start, undo) {
      if (running) throw new Error('Everything is being stopped.')
      const started = start().then(result => {
        add(() => undo(result))
        return result
      })
      starting.add(started)
      return started.finally(() => starting.delete(started))
    },
    run() {
      running ??= runAll()
      return running
    },
  }
}
