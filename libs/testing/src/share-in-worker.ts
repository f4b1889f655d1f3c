/**
 * What the test files of a worker share, since its modules stay loaded: the first that asks starts it, `stop` leaves it to
 * the next, and it ends with the worker.
 */
export function shareInWorker<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
): () => Promise<Started> {
  let shared: Promise<Started> | undefined
  return async () => {
    shared ??= start()
    return { ...(await shared), stop: async () => {} }
  }
}
