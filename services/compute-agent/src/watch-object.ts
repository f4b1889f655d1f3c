import { setTimeout as delay } from 'node:timers/promises'
import type { BusLog } from '@svc/bus/connection'
import { type KubeApi, KubeError, type WatchEvent } from './kube-api.ts'

export interface WatchObjectOptions {
  readonly api: KubeApi
  /** `/apis/<group>/<version>/namespaces/<namespace>/<plural>` */
  readonly collection: string
  readonly name: string
  readonly onChange: () => void
  readonly log: BusLog
  /** After this time the server ends a watch; one that is silent for longer is abandoned. */
  readonly watchSeconds?: number
}

const firstPauseMs = 100
const longestPauseMs = 10_000
const graceMs = 5_000

/**
 * Lists one object, watches from there, and watches again from where the last watch ended. If the server no longer
 * has the following changes (410 Gone), lists again.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 *
 * @returns a function that stops it
 */
export function watchObject(options: WatchObjectOptions): () => void {
  const { api, collection, name, onChange, log, watchSeconds = 240 } = options
  const fieldSelector = `metadata.name=${name}`
  const ended = new AbortController()
  let resourceVersion: string | undefined
  let failing = false
  void keepWatching()
  return () => ended.abort()

  async function keepWatching() {
    let pauseMs = firstPauseMs
    while (!ended.signal.aborted) {
      const began = performance.now()
      try {
        if (resourceVersion === undefined) {
          const { metadata } = await api.get<WatchEvent['object']>(collection, { fieldSelector })
          resourceVersion = metadata?.resourceVersion
          // Changes before this point were not watched.
          onChange()
        }
        await watchOnce()
      } catch (error) {
        if (ended.signal.aborted) return
        if (error instanceof KubeError && error.code === 410) resourceVersion = undefined
        else logFailure(error)
      }
      if (performance.now() - began > longestPauseMs) pauseMs = firstPauseMs
      // Also after a normal end: a server that ends every watch at once must not be hammered.
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  async function watchOnce() {
    const query = { fieldSelector, resourceVersion, allowWatchBookmarks: true, timeoutSeconds: watchSeconds }
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(watchSeconds * 1000 + graceMs)])
    const events = await api.watch(collection, query, signal)
    logFailure(undefined)
    for await (const { type, object } of events) {
      if (ended.signal.aborted) return
      if (type === 'ERROR') throw new KubeError(object.code ?? 0, object.message ?? 'The watch failed.')
      resourceVersion = object.metadata?.resourceVersion ?? resourceVersion
      if (type !== 'BOOKMARK') onChange()
    }
  }

  function logFailure(error: unknown) {
    if (failing === (error !== undefined)) return
    failing = !failing
    if (failing) log.warn({ err: error, name }, 'watch failed')
    else log.info({ name }, 'watch restored')
  }
}
