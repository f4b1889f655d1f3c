/** docs/running/secrets.md: every secret is changed while the product is used. tests/deploy has what each step writes. */
import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@svc/bus/connection'
import { createAdminHere } from '@svc/testing/stack/admin-here'
import { connectAgent } from '@svc/testing/stack/agent'
import { createOffer } from '@svc/testing/load'
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import postgres from 'postgres'
import { startRotationScene, type Secrets, type Target } from './rotation-scene.ts'
import { expectStory, readings, type Story, tellStory } from './story.ts'

type Scene = Awaited<ReturnType<typeof startRotationScene>>
const silent = { info() {}, warn() {}, error() {} }

/** Offers and everything of the story, each request by the next gateway that serves. */
function use({ serving, dev }: Scene, story: Story, connections: number) {
  const failed: unknown[] = []
  const offers: string[] = []
  const agent = new Agent({ keepAlive: true })
  const reads = readings(story)
  let turn = 0
  let going = true
  const gateway = () => `${[...serving][turn++ % serving.size]}/v1`
  const work = async (index: number) => {
    for (let round = index; going; round++) {
      const read = reads[round % (reads.length + 1)]
      if (read) await read(gateway()).catch(error => failed.push(error))
      else {
        const { status, id, tag } = await createOffer({
          baseUrl: gateway(),
          token: story.token,
          body: { product_id: dev.product_id },
          key: randomUUID(),
          agent,
        })
        if (status === 201 && id) offers.push(id)
        else failed.push({ status, tag })
      }
      await delay(25)
    }
  }
  const workers = Array.from({ length: connections }, (_, index) => work(index))
  return {
    failed,
    async stop() {
      going = false
      await Promise.all(workers)
      agent.destroy()
      return offers
    },
  }
}

/** Every value that lets someone in or opens something. */
function credentialsIn(secrets: Secrets): string[] {
  return [...secrets]
    .filter(([name]) => !['setup-database', 'postgres', 'postgres-superuser', 'nats'].includes(name))
    .flatMap(([, data]) => Object.entries(data))
    .filter(([name]) => !['DATA_SOURCE_URI', 'DATA_SOURCE_USER'].includes(name))
    .map(([name, value]) => (name === 'DATABASE_URL' ? new URL(value).password : value))
}

export async function rotateEverySecret(target: Target) {
  const scene = await startRotationScene(target)
  onTestFinished(() => scene.stop())
  const story = await tellStory(scene.baseUrls[0] ?? '', scene.dev)
  const before = scene.secrets()
  const admin = (args: string[]) => createAdminHere(scene.environmentOf('admin'))(args)
  const cluster = { id: story.cluster, workspace: story.workspace }
  const agent = await connectAgent({ natsUrl: scene.natsUrl, backoffice: scene.backoffice }, cluster)
  const load = use(scene, story, 3)

  await scene.step('begin')
  await scene.step('switch')
  scene.changeDatabasePasswords()
  expect(await admin(['secrets', 'reseal'])).toMatchObject({ code: 0 })
  // A key signs once every gateway has it and no cache is older: two minutes.
  await scene.sql`update auth_tokens.signing_keys set created_at = created_at - interval '3 minutes'`
  expect(await admin(['keys', 'rotate'])).toMatchObject({ code: 0 })
  // Whoever was let in by the issuer before stays, and whoever comes now is let in by the new one.
  await agent.settings()
  await scene.step('end')

  const offers = await load.stop()
  expect(load.failed).toEqual([])
  expect(offers.length).toBeGreaterThan(100)
  await expectStory(scene.baseUrls[1] ?? '', story)
  const [{ n } = { n: 0 }] = await scene.sql`
    select count(*)::int as n from offers.offers where id = any (${offers})`
  expect(n).toBe(offers.length)
  await agent.settings()
  await agent.bus.close()

  // Nothing of before is left, and nothing of before is accepted.
  const after = scene.secrets()
  expect(credentialsIn(after).filter(value => credentialsIn(before).includes(value))).toEqual([])
  expect([...after].map(([name, data]) => [name, Object.keys(data).sort()])).toEqual(
    [...before].map(([name, data]) => [name, Object.keys(data).sort()]),
  )
  const { NATS_URL, ...now } = scene.environmentOf('offers')
  const { NATS_PASSWORD, NATS_NKEY_SEED, DATABASE_URL = '' } = before.get('offers') ?? {}
  const old = { NATS_URL: NATS_URL ?? '', NATS_USER: 'offers', NATS_PASSWORD, NATS_NKEY_SEED }
  await expect(connectBus(old as Parameters<typeof connectBus>[0], silent)).rejects.toMatchObject({
    code: 'AUTHORIZATION_VIOLATION',
  })
  const oldUrl = Object.assign(new URL(now.DATABASE_URL ?? ''), {
    password: new URL(DATABASE_URL).password,
  })
  const sql = postgres(oldUrl.href, { max: 1 })
  await expect(sql`select 1`).rejects.toMatchObject({ code: '28P01' })
  await sql.end()
}
