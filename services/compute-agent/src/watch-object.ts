import { setTimeout as delay } from 'node:timers/promises'
import { type KubeConfig, type KubernetesObject, Watch } from '@kubernetes/client-node'
import type { BusLog } from '@svc/bus/connection'

export interface WatchObjectOptions {
  readonly kube: KubeConfig
  /** Of the collection: `/apis/<group>/<version>/namespaces/<namespace>/<plural>`. */
  readonly path: string
  readonly name: string
  /** The resourceVersion of the collection as it is now. */
  readonly list: () => Promise<string | undefined>
  readonly onChange: () => void
  readonly log: BusLog
  /** After this time the server ends a watch; one that is silent for longer is abandoned. */
  readonly watchSeconds?: number
}

const firstPauseMs = 100
const longestPauseMs = 10_000
/** Extra time for the server to end a watch. */
const graceMs = 5_000

/**
 * Watches one object: list, watch from there, and watch again from where the last watch ended. Where the server no longer
 * has what follows (410 Gone), list again. https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 *
 * @returns ends it
 */
export function watchObject(options: WatchObjectOptions): () => void {
  const { kube, path, name, list, onChange, log, watchSeconds = 240 } = options
  const ended = new AbortController()
  const client = new Watch(kube)
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
          resourceVersion = await list()
          // Changes before this point were not watched.
          onChange()
        }
        await watchOnce()
      } catch (error) {
        if (ended.signal.aborted) return
        if (statusOf(error) === 410) resourceVersion = undefined
        else logFailure(error)
      }
      if (performance.now() - began > longestPauseMs) pauseMs = firstPauseMs
      // Also after one that ended normally: a server that ends every watch at once must not be hammered.
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  /** Until the watch ends, is given up, or is no longer wanted. */
  function watchOnce(): Promise<void> {
    return new Promise((resolve, reject) => {
      let fault: unknown
      let over = false
      const done = (error: unknown) => {
        over = true
        clearTimeout(timer)
        ended.signal.removeEventListener('abort', giveUp)
        if (error ?? fault) reject(fault ?? error)
        else resolve()
      }
      const onEvent = (type: string, object: WatchedObject) => {
        if (type === 'ERROR') fault = Object.assign(new Error(object.message), { code: object.code })
        else if (!over) heard(type, object)
      }
      const query = {
        fieldSelector: `metadata.name=${name}`,
        resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: watchSeconds,
      }
      const watching = client.watch(path, query, onEvent, done)
      const giveUp = () => {
        void watching.then(watch => watch.abort())
        done(ended.signal.aborted ? undefined : new Error('The watch timed out.'))
      }
      const timer = setTimeout(giveUp, watchSeconds * 1000 + graceMs)
      ended.signal.addEventListener('abort', giveUp)
      watching.then(() => {
        if (!over) logFailure(undefined)
      }, done)
    })
  }

  function heard(type: string, { metadata }: WatchedObject) {
    resourceVersion = metadata?.resourceVersion ?? resourceVersion
    if (type !== 'BOOKMARK') onChange()
  }

  /** Logs a failure once, and the recovery. */
  function logFailure(error: unknown) {
    if (failing === (error !== undefined)) return
    failing = !failing
    if (failing) log.warn({ err: error, name }, 'watch failed')
    else log.info({ name }, 'watch restored')
  }
}

/** Of an event of the type ERROR it is a Status. */
type WatchedObject = KubernetesObject & { readonly code?: number; readonly message?: string }

/** Of an answer that the client refuses, or of a Status. */
const statusOf = (error: unknown): number | undefined => {
  const { statusCode, code } = error as { statusCode?: number; code?: unknown }
  return statusCode ?? (typeof code === 'number' ? code : undefined)
}
