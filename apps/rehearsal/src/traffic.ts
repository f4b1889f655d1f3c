/**
 * The clients: they create offers with keys, read lists, create and revoke tokens, and change compute settings under
 * etags. Everything is recorded.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Tag, tags } from '@svc/contract/core/error-codes'
import type { DevFile } from '@svc/local/seed-demo'
import type { Answer, Balancer, Sent } from './balancer.ts'
import { type Editor, settingsEditor } from './settings-editor.ts'

export type Kind =
  | 'create offer'
  | 'list offers'
  | 'read settings'
  | 'create token'
  | 'revoke token'
  | 'edit settings'

export interface Exchange {
  readonly kind: Kind
  /** Milliseconds of performance.now(). */
  readonly startedAt: number
  readonly endedAt: number
  /** When it was sent on a connection; undefined if none could be opened. */
  readonly sentAt: number | undefined
  readonly ok: boolean
  /** If it failed: `503 Unavailable`, `no answer` … */
  readonly failure: string | undefined
  /** Whether its body and headers are as documented. */
  readonly documented: boolean
  readonly gateway: string
  /** Idempotency key of an offer, name of a created token, id of a revoked one, cluster and `max_machines` of settings. */
  readonly key: string
  /** Id of what was acknowledged. */
  readonly id: string | undefined
}

export interface Traffic {
  readonly exchanges: readonly Exchange[]
  readonly editors: readonly Editor[]
  /** How many are in progress. */
  readonly inFlight: number
  stop(): Promise<void>
}

export interface TrafficOptions {
  readonly balancer: Balancer
  readonly dev: DevFile
  readonly clusters: readonly string[]
  readonly connections: number
}

/** Between an answer and the connection's next request, on average: the load should be steady, not test capacity. */
const pauseMs = 60
/** After a failure. */
const longPauseMs = 100

type Do = (
  kind: Kind,
  sent: Sent,
  expected: readonly number[],
  key?: string,
) => Promise<Answer & { ok: boolean }>

/** Starts the load; it goes on until `stop`. */
export function startTraffic({ balancer, dev, clusters, connections }: TrafficOptions): Traffic {
  const exchanges: Exchange[] = []
  const editors: Editor[] = clusters.map(id => settingsEditor(id))
  let inFlight = 0
  let going = true

  const worker = async (index: number) => {
    const connection = balancer.connection()
    const perform: Do = async (kind, sent, expected, key = '') => {
      const startedAt = performance.now()
      inFlight++
      const answer = await connection.send(sent)
      inFlight--
      const ok = expected.includes(answer.status)
      exchanges.push({
        kind,
        startedAt,
        endedAt: performance.now(),
        sentAt: answer.sentAt,
        ok,
        failure: ok ? undefined : (answer.failure ?? `${answer.status} ${tagOf(answer) ?? '?'}`),
        documented: ok || isDocumented(answer),
        gateway: answer.gateway,
        key,
        id: ok ? idOf(answer) : undefined,
      })
      return { ...answer, ok }
    }
    const work = workOf(index, dev, editors, perform)
    await delay(Math.random() * pauseMs)
    for (let round = index; going; round++) {
      const ok = await work[round % work.length]?.()
      await delay(ok ? pauseMs * (0.5 + Math.random()) : longPauseMs)
    }
    connection.close()
  }
  const workers = Array.from({ length: connections }, (_, index) => worker(index))
  return {
    exchanges,
    editors,
    get inFlight() {
      return inFlight
    },
    async stop() {
      going = false
      await Promise.all(workers)
    },
  }
}

/** One client's round: its steps, some more often than others. */
function workOf(
  index: number,
  dev: DevFile,
  editors: readonly Editor[],
  perform: Do,
): (() => Promise<boolean>)[] {
  const member = { authorization: `Bearer ${dev.api_token}` }
  const owner = { authorization: `Bearer ${dev.owner.session_token}`, 'svc-context': dev.workspace_id }
  const json = { 'content-type': 'application/json' }
  let token: string | undefined

  const createOffer = async () => {
    const key = randomUUID()
    const body = JSON.stringify({ product_id: dev.product_id })
    const headers = { ...member, ...json, 'idempotency-key': key }
    return (await perform('create offer', { method: 'POST', path: '/v1/offers', headers, body }, [201], key))
      .ok
  }
  const read = (kind: Kind, path: string) => async () =>
    (await perform(kind, { method: 'GET', path, headers: member }, [200])).ok
  const createToken = async () => {
    const name = randomUUID()
    const body = JSON.stringify({ name })
    const sent = { method: 'POST', path: '/v1/api_tokens', headers: { ...owner, ...json }, body }
    const answer = await perform('create token', sent, [201], name)
    if (answer.ok) token = idOf(answer)
    return answer.ok
  }
  const revokeToken = async () => {
    const id = token ?? ''
    const again = unsure.has(id)
    const sent = { method: 'DELETE', path: `/v1/api_tokens/${id}`, headers: owner }
    // The first attempt may have been executed: the token is gone, as intended.
    const answer = await perform('revoke token', sent, again ? [204, 404] : [204], id)
    if (answer.ok) token = undefined
    else unsure.add(id)
    return answer.ok
  }
  const unsure = new Set<string>()
  const useToken = () => (token === undefined ? createToken() : revokeToken())
  const editor = editors[index]
  const settings = `/v1/clusters/${editor?.cluster ?? dev.cluster_id}/compute_settings`
  const edit = async () => {
    if (!editor) return read('read settings', settings)()
    if (editor.etag === undefined) {
      const sent = { method: 'GET', path: settings, headers: member }
      const answer = await perform('read settings', sent, [200])
      if (answer.ok) editor.found(JSON.parse(answer.body))
      return answer.ok
    }
    const max_machines = editor.next()
    const headers = { ...member, ...json, 'if-match': editor.etag }
    const body = JSON.stringify({ max_machines })
    const sent = { method: 'PATCH', path: settings, headers, body }
    const answer = await perform('edit settings', sent, [200], `${editor.cluster} ${max_machines}`)
    if (answer.ok) editor.acknowledged(JSON.parse(answer.body))
    else editor.failed()
    return answer.ok
  }
  const list = read('list offers', '/v1/offers?limit=5')
  return [createOffer, edit, createOffer, list, useToken, createOffer, edit, useToken, createOffer, list]
}

function tagOf({ body }: Answer): Tag | undefined {
  try {
    const { _tag } = JSON.parse(body)
    return _tag in tags ? _tag : undefined
  } catch {
    return undefined
  }
}

function idOf({ body }: Answer): string | undefined {
  return body ? JSON.parse(body).id : undefined
}

/** A closed connection has no body. Every answer has one, and says when to try again if that helps. */
function isDocumented(answer: Answer): boolean {
  if (answer.failure) return true
  const tag = tagOf(answer)
  if (!tag || tags[tag].status !== answer.status) return false
  return answer.status !== 503 || answer.retryAfter !== undefined
}
