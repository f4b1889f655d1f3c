// The product that a worker's files share, and in it a demo workspace for each file.
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showOnFailure } from './recent-lines.ts'
import { ofTheRun } from './run/ask.ts'
import type { ProductFacts } from './run/product.ts'
import { openProduct, type Product } from './stack.ts'

/**
 * Joins the worker's product: two processes of each kind, as they run by default. What a file makes there, it makes in
 * workspaces of its own, as customers do; it must not harm the processes, nor read the tables without saying whose rows.
 *
 * Counters of attempts by address start anew, since all of a run's requests come from one. Call `stop` in afterAll: it
 * throws where a process has ended meanwhile.
 */
export async function joinProduct(): Promise<Product> {
  const facts = await ofTheRun<ProductFacts>('product')
  const start = statSync(facts.logFile).size
  const lines = () => readFileSync(facts.logFile).subarray(start).toString().split('\n').slice(0, -1)
  const hide = showOnFailure(lines)
  const stack: Product['stack'] = {
    gateways: facts.gateways,
    natsUrl: facts.natsUrl,
    databaseUrls: facts.databaseUrls,
    secrets: facts.secrets,
    bus: user => ({
      NATS_URL: facts.natsUrl,
      NATS_USER: user,
      NATS_PASSWORD: facts.secrets.nats[user],
    }),
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-joined-'))
  const domain = `${randomBytes(6).toString('hex')}.example`
  const opened = await openProduct({ stack, dataDir, adminUrl: facts.adminUrl, domain })
  await opened.sql`delete from auth_tokens.attempts`
  return {
    ...opened,
    stack,
    get lines() {
      return lines()
    },
    async stop() {
      hide()
      await opened.close()
      await rm(dataDir, { recursive: true, force: true })
      const crashes = lines().filter(line => /^\S+ crashed: /.test(line))
      if (crashes.length > 0) throw new Error(crashes.join('\n'))
    },
  }
}
