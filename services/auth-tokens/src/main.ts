import { connectBus } from '@svc/bus/connection'
import { serve } from '@svc/bus/serve'
import { authTokens } from '@svc/contract/auth-tokens'
import { databaseConfig, processConfig, publicConfig, readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { z } from 'zod'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { purge } from './purge.ts'
import { createRecordUse } from './record-use.ts'
import { ensureSigningKeys } from './signing-keys.ts'

const flushEveryMs = 5000

const purgeConfig = {
  PURGE_EVERY_SECONDS: z.coerce.number().min(1).default(600).describe('how often what has ended is removed'),
}

async function start() {
  const config = readConfig({ ...processConfig, ...databaseConfig, ...publicConfig, ...purgeConfig })
  const log = createLog('auth-tokens', config.LOG_LEVEL)
  await run(config, log, async () => {
    await migrate(config.DATABASE_URL, 'auth_tokens', new URL('../migrations', import.meta.url))
    const database = openDatabase(config, 'auth-tokens')
    await ensureSigningKeys(database.sql, Math.floor(Date.now() / 1000))
    const bus = await connectBus(config, log)
    const recordUse = createRecordUse(() => database.sql)
    const flush = () => recordUse.flush().catch(err => log.warn({ err }, 'last uses not written yet'))
    setInterval(flush, flushEveryMs).unref()
    const purgeNow = () =>
      purge(database.sql, Math.floor(Date.now() / 1000)).catch(err =>
        log.warn({ err }, 'nothing purged this time'),
      )
    setInterval(purgeNow, config.PURGE_EVERY_SECONDS * 1000).unref()
    const deps = createDeps({ database, now: Date.now, recordUse, publicUrl: config.PUBLIC_URL })
    const served = await serve(bus, authTokens, { handlers, deps, log })
    return { ready: { bus: () => bus.connected }, drain: [served.drain, flush, database.close] }
  })
}

start().catch(failToStart)
