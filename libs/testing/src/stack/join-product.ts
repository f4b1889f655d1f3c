// The product that the files of a run share, and in it a demo workspace for each of them.
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessOf } from './nats-config.ts'
import { showOnFailure } from '../recent-lines.ts'
import { ofTheRun } from '../run/ask.ts'
import type { ProductFacts } from '../run/product.ts'
import { openProduct, type Product } from './stack.ts'

/**
 * Joins the run's product: two gateways, two auth-tokens and one process of each other kind. What a file makes there, it makes in
 * workspaces of its own, as customers do, while other files do the same; it must not harm the processes, nor read the
 * tables without saying whose rows.
 *
 * Counters of attempts by address start anew, since all of a run's requests come from one. Call `stop` in afterAll: it
 * throws where a process has ended meanwhile.
 */
export async function joinProduct(): Promise<Product> {
  const facts = await ofTheRun<ProductFacts>('product')
  const start = statSync(facts.logFile).size
  const lines = () => linesFrom(facts.logFile, start)
  const hide = showOnFailure(lines)
  const stack: Product['stack'] = {
    gateways: facts.gateways,
    processes: facts.processes,
    natsUrl: facts.natsUrl,
    databaseUrls: facts.databaseUrls,
    secrets: facts.secrets,
    bus: accessOf(user => ({
      NATS_URL: facts.natsUrl,
      NATS_USER: user,
      NATS_PASSWORD: facts.secrets.nats[user],
    })),
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-joined-'))
  const domain = `${randomBytes(6).toString('hex')}.example`
  const opened = await openProduct({ stack, dataDir, adminUrl: facts.adminUrl, domain })
  // Those of accounts belong to their files.
  await opened.sql`
    delete from auth_tokens.attempts where bucket like '%\\_per\\_address %' or bucket = 'user_codes_in_all'`
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

function linesFrom(path: string, start: number): string[] {
  const file = openSync(path, 'r')
  try {
    const said = Buffer.alloc(fstatSync(file).size - start)
    readSync(file, said, 0, said.length, start)
    return said.toString().split('\n').slice(0, -1)
  } finally {
    closeSync(file)
  }
}
