/** The public keys of one issuer, read ahead of need. Tokens with unknown keys cause at most one read in 30 s. */
import { refusal } from '@svc/contract/core/errors'
import type { CryptoKey } from 'jose'
import { type Algorithm, type Keys, importKeys } from './import-keys.ts'

export interface KeySetOptions {
  readonly load: () => Promise<readonly unknown[]>
  readonly algorithms: readonly Algorithm[]
  /** Milliseconds between reads. */
  readonly everyMs: number
  readonly retryMs: number
  /** The first read waits until a key is asked for. */
  readonly onDemand?: boolean
  readonly now: () => number
  readonly log: KeySetLog
}

export interface KeySetLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface KeySet {
  /**
   * The key with this id, if it is used with this algorithm. An unknown one is requested from its issuer, unless
   * the issuer was asked in the last 30 s.
   *
   * @throws ApiError `Unavailable` if no keys could be read yet, or too many requests wait for them
   */
  find(kid: string, alg: string): Promise<CryptoKey | undefined>
  readonly version: number
  readonly published: readonly unknown[] | undefined
  /** Never rejects. */
  refresh(): Promise<void>
  stop(): void
}

const pauseMs = 30_000
const maxWaiting = 256

/** Keys stay until the issuer returns others, even if it becomes unreachable. */
export function createKeySet(options: KeySetOptions): KeySet {
  const { load, algorithms, everyMs, retryMs, onDemand = false, now, log } = options
  let keys: Keys | undefined
  let published: readonly unknown[] | undefined
  let version = 0
  let text = ''
  let startedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined
  let waiting = 0
  let failed = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  if (!onDemand) void refresh()

  return {
    async find(kid, alg) {
      if (!keys?.has(kid) && (loading || now() - startedAt >= pauseMs)) await waitForKeys()
      if (!keys) throw refusal('unavailable')
      return keys.get(kid)?.find(key => key.alg === alg)?.key
    },
    get version() {
      return version
    },
    get published() {
      return published
    },
    refresh,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }

  async function waitForKeys() {
    if (waiting >= maxWaiting) throw refusal('overloaded')
    waiting++
    try {
      await refresh()
    } finally {
      waiting--
    }
  }

  function refresh(): Promise<void> {
    loading ??= read().finally(() => {
      loading = undefined
      clearTimeout(timer)
      if (!stopped) timer = setTimeout(refresh, failed ? retryMs : everyMs).unref()
    })
    return loading
  }

  async function read() {
    startedAt = now()
    try {
      const jwks = await load()
      const newText = JSON.stringify(jwks)
      if (newText !== text) {
        keys = await importKeys(jwks, algorithms)
        published = jwks
        text = newText
        version++
      }
      if (failed) log.info({ keys: keys?.size }, 'reading keys works again')
      failed = false
    } catch (error) {
      if (!failed) log.warn({ err: error, keys: keys?.size ?? 0 }, 'cannot read keys')
      failed = true
    }
  }
}
