// The product in an odd environment: it starts, finds what it wrote, and serves.
import { forFile } from '@svc/testing/for-file'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { seedDemo } from '@svc/local/seed-demo'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStack } from '@svc/testing/stack/stack'

const running = forFile(startTestStack)
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'))
})
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

test('a later start finds the demo of the first, and an offer is created', async () => {
  const demo = running.dev
  await writeFile(join(dataDir, 'dev.json'), JSON.stringify(demo))
  expect(await seedDemo({ stack: running.stack, dataDir, baseUrl: demo.base_url })).toEqual(demo)
  expect(JSON.parse(await readFile(join(dataDir, 'dev.json'), 'utf8'))).toEqual(demo)

  const { offers } = createClient({ baseUrl: demo.base_url, token: demo.api_token })
  const { status, body } = await offers.create_offer({
    body: { product_id: demo.product_id, offer_channel_id: demo.offer_channel_id },
  })
  expect(status).toBe(201)
  const offer = await offers.get_offer({ params: { id: body.id } })
  expect(offer.body.terms.price).toEqual({ currency: 'eur', unit_amount: 4900, interval: 'month' })
  const own = createClient({
    baseUrl: demo.base_url,
    token: demo.owner.session_token,
    workspace: demo.workspace_id,
  })
  expect((await own.compute.get_compute_settings({ params: { id: demo.cluster_id } })).status).toBe(200)
})
