/** What has to be undone at the end, however the end comes. */

export interface Cleanup {
  /** Undone in the reverse order of being added, unless the result is called, which forgets it. */
  add(undo: () => unknown): () => void
  /**
   * Starts something that is to be undone; an end that comes in the middle of the start waits for it.
   * Throws once the end has begun.
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
      // One that fails must not keep the others from being undone.
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
