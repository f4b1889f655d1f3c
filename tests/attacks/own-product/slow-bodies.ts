// Anyone, mostly without a credential: connections whose bodies never arrive. 520 of them to /sign-in or /oauth/token,
// 260 to the webhook, or 1,560 to /v1/offers with one token took everything down: 503 for all others. 1,275 with bodies
// complete except for one byte raised the gateway's memory from 141 to 580 MB.
import { waitUntil } from '@svc/local/wait-until'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { type Asked, answersInTurn, ask } from '../others.ts'
import { bounds, product } from './scene.ts'
import { comeAgain, holdOpen } from './slow-connections.ts'

/** More than may be in progress. */
const connections = 2000
const attacker = '127.0.0.66'
/** What the gateway's pod may have: deploy/kubernetes/base/gateway.yaml. */
const podLimitMb = 384

let url: URL
beforeAll(() => {
  url = new URL(product.dev.base_url)
})

test(`an address with ${bounds.connectionsPerAddress} connections is refused the next one, and others get theirs`, async () => {
  const idle = Array.from({ length: bounds.connectionsPerAddress }, () =>
    connect({ host: url.hostname, port: Number(url.port), localAddress: attacker }),
  )
  await Promise.all(idle.map(socket => once(socket, 'connect')))
  const agent = new Agent()
  try {
    const one = { url: `${url.origin}/livez` }
    expect(await ask({ ...one, from: attacker }, agent)).toBe(429)
    expect(await ask({ ...one, from: '127.0.0.67' }, agent)).toBe(200)
    idle[0]?.destroy()
    await waitUntil(
      'a place for the next',
      async () => (await ask({ ...one, from: attacker }, agent)) === 200,
    )
  } finally {
    agent.destroy()
    for (const socket of idle) socket.destroy()
  }
})

const memoryMb = () => {
  const { pid } = product.stack.gateways[0] as { pid?: number }
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const form = 'application/x-www-form-urlencoded'
const kinds: readonly { path: string; type: string; size: number; headers?: () => string[] }[] = [
  { path: '/sign-in', type: form, size: 16_384 },
  { path: '/oauth/token', type: form, size: 262_144 },
  // The longest that anybody may send. Any cookie will do: what is in it is compared when the form is there.
  { path: '/i/abcdefghijkm', type: form, size: 393_216, headers: () => ['Cookie: __Host-svc_csrf=x'] },
  {
    path: '/v1/webhooks/stripe',
    type: 'application/json',
    size: 262_144,
    headers: () => ['Stripe-Signature: t=1,v1=x'],
  },
  {
    path: '/v1/offers',
    type: 'application/json',
    size: 262_144,
    headers: () => [`Authorization: Bearer ${product.dev.api_token}`],
  },
]

const others = (): Asked[] => [
  { url: `${url.origin}/sign-in` },
  { url: `${url.origin}/v1/i/abcdefghijkm` },
  {
    url: `${url.origin}/v1/offers?limit=1`,
    headers: { authorization: `Bearer ${product.dev.other_api_token}` },
  },
]

/** @param sent bytes of the body; counted from its end where negative */
const begun = (sent: number) =>
  kinds.map(({ path, type, size, headers }) => {
    const lines = [
      `Host: ${url.host}`,
      `Content-Type: ${type}`,
      `Content-Length: ${size}`,
      ...(headers?.() ?? []),
    ]
    return Buffer.concat([
      Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
      Buffer.alloc(sent > 0 ? sent : size + sent, 'a'),
    ])
  })

/** Others are answered once the attack has begun, and the gateway stays within its memory until the attack is over. */
async function keepsNobodyFromAnAnswer(attack: () => Promise<{ closed: Promise<unknown> }>) {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryMb())
  }, 50)
  const { closed } = await attack()
  const statuses = await Promise.all(others().map(asked => answersInTurn(asked, 100)))
  await closed
  clearInterval(watch)
  expect(statuses).toEqual([[200], [404], [200]])
  expect(most).toBeLessThan(podLimitMb)
}

test(`${connections} connections that send all but one byte of a body, to each route that reads one, keep nobody from an answer and are closed`, () =>
  keepsNobodyFromAnAnswer(() => holdOpen({ url, from: attacker, connections, requests: begun(-1) })))

test('1,600 connections that send one byte of a body, and come again when they are dropped, keep nobody from an answer either', () =>
  keepsNobodyFromAnAnswer(async () => {
    const half = { url, connections: 800, requests: begun(1) }
    const both = await Promise.all([attacker, '127.0.0.68'].map(from => comeAgain({ ...half, from })))
    return { closed: Promise.all(both.map(({ closed }) => closed)) }
  }))
