// Any holder of a token, with 600 connections: the others' median rose from 5 to 645 ms, and one in five of their
// requests was refused with 503. With 300 schemas at once nobody else could publish one.
import { waitUntil } from '@svc/local/wait-until'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { Agent } from 'node:http'
import { expect, test } from 'vitest'
import { withRoom } from '../../../services/offers/test/http.ts'
import { startAttack, written } from '../attacker.ts'
import { type Asked, ask } from '../others.ts'
import { bounds, product } from './scene.ts'

const list = (token: string): Asked => ({
  url: `${product.dev.base_url}/offers?limit=1`,
  headers: { authorization: `Bearer ${token}` },
})

async function send(token: string, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${product.dev.base_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { id: string; token?: string; errors?: unknown },
  }
}

const body = () => ({ product_id: product.dev.product_id })

// Whose turn it is when slots become free: libs/bus/test/fair-queue.test.ts.
test('another workspace is answered while as many requests of one token as there is room for wait', async () => {
  const { api_token, other_api_token, base_url, workspace_id } = product.dev
  const key = 'of the whole crowd'
  // All of them need this key: none can be answered before the transaction ends.
  const held = await holdTransaction(
    product.sql,
    tx => tx`
      insert into offers.idempotency_keys
        (workspace_id, key, intent, package_version_id, lease_until, free_at, created_at)
      values (${workspace_id}, ${key}, '', '', now(), now(), now())`,
  )
  const agent = new Agent({ keepAlive: true })
  const answers: number[] = []
  const one = async () => {
    const headers = {
      authorization: `Bearer ${api_token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    answers.push(
      await ask({ url: `${base_url}/offers`, method: 'POST', headers, body: JSON.stringify(body()) }, agent),
    )
  }
  const crowd = Array.from({ length: 1.5 * bounds.inFlight }, one)
  try {
    await waitUntil('more than there is room for', () => answers.length > 0)
    for (let n = 0; n < 20; n++) expect(await ask(list(other_api_token), agent)).toBe(200)
    // Refused as the documentation says: nothing was executed.
    expect(answers.filter(status => status !== 429 && status !== 503)).toEqual([])
  } finally {
    await held.release()
  }
  await Promise.all(crowd)
  agent.destroy()
  expect(answers.filter(status => status === 201).length).toBeGreaterThan(0)
})

type Other = (n: number) => ReturnType<typeof send>

interface Turns {
  readonly connections: number
  /** What the attacker sends with `api_token`. */
  readonly path: string
  readonly sent: object
  /** One of the others' requests, of each; they are sent one after the other. */
  readonly others: readonly Other[]
  /** Ids of what all have made, in that order. */
  readonly made: () => Promise<readonly { id: string }[]>
}

/**
 * How many were served between one request of each other and its next, at the least: in a single queue it would be as many as
 * wait in it, however fast the machine is.
 */
async function fewestBetween({ connections, path, sent, others, made }: Turns): Promise<number[]> {
  const url = new URL(product.dev.base_url)
  const { api_token: token } = product.dev
  const request = written({ url, method: 'POST', path: `/v1${path}`, token, body: JSON.stringify(sent) })
  const attack = startAttack({ url, connections, request })
  await attack.underWay
  const all = await Promise.all(others.map(fifteen))
  expect((await attack.end())[201]).toBeGreaterThan(0)
  const order = (await made()).map(({ id }) => id)
  return all.map(ids => {
    const places = ids.map(id => order.indexOf(id))
    expect(places).not.toContain(-1)
    return Math.min(...places.slice(1).map((place, at) => place - (places[at] as number) - 1))
  })
}

async function fifteen(other: Other): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; ids.length < 15; n++) {
    const { status, body } = await other(n)
    // On a slow machine a deadline may pass; whose turn it is does not depend on it.
    expect([201, 504]).toContain(status)
    if (status === 201) ids.push(body.id)
  }
  return ids
}

/** As many as wait when the gateway is full. */
const waiting = bounds.inFlight - bounds.forwarded

async function newVersion(token: string, schema: object = {}) {
  const { body: made } = await send(token, '/packages', { name: 'P' })
  const path = `/packages/${made.id}/versions`
  const publish = (version: string) => send(token, path, { version, input_schema: { properties: schema } })
  // Idle threads have ended, and the first schema may not wait for their start.
  const { body } = await withRoom(() => publish('1.0.0'))
  return { path, publish, package_version_id: body.id }
}

test('600 connections with one token leave another workspace and another token of the workspace their shares', async () => {
  const { other_api_token, owner, workspace_id } = product.dev
  const { package_version_id } = await newVersion(other_api_token)
  const named = { 'svc-context': workspace_id }
  const { token = '' } = (await send(owner.session_token, '/api_tokens', { name: 'another' }, named)).body
  const [workspace, own] = await fewestBetween({
    connections: 600,
    path: '/offers',
    sent: body(),
    others: [
      () => send(other_api_token, '/offers', { package_version_id }),
      () => send(token, '/offers', body()),
    ],
    made: () => product.sql<{ id: string }[]>`select id from offers.offers order by created_at, id`,
  })
  expect(workspace).toBeLessThan(waiting / 2)
  expect(own).toBeLessThan(waiting / 2)
})

// In `npm test` the threads' queue is tested by itself: services/offers/test/input-schema/thread-queue.test.ts.
test('300 connections that publish expensive schemas leave another workspace its share', async () => {
  const { api_token, other_api_token } = product.dev
  const [own, others] = [
    await newVersion(api_token),
    await newVersion(other_api_token, { a: { type: 'string' } }),
  ]
  const [fewest] = await fewestBetween({
    connections: 300,
    path: own.path,
    sent: { version: '{number}', input_schema: expensive() },
    others: [n => others.publish(`1.1.${n}`)],
    made: () => product.sql`select id from offers.package_versions order by created_at, id`,
  })
  // As many as are forwarded would wait for the threads of both replicas.
  expect(fewest).toBeLessThan(bounds.forwarded / 4)
})

/** Takes some milliseconds of a thread, which checks one at a time. */
const expensive = () => ({
  properties: Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `p${at}`,
      { type: 'string', pattern: `^(a|b${at}){1,9}[0-9]{1,9}(x|y)*$`, minLength: at },
    ]),
  ),
})
