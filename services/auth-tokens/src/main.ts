import { connectBus } from '@svc/bus/connection'
import { serve } from '@svc/bus/serve'
import { authTokens } from '@svc/contract/auth-tokens'
import { databaseConfig, processConfig, readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { createRecordUse } from './record-use.ts'

const flushEveryMs = 5000

async function start() {
  const config = readConfig({ ...processConfig, ...databaseConfig })
  const log = createLog('auth-tokens', config.LOG_LEVEL)
  await run(config, log, async () => {
    await migrate(config.DATABASE_URL, 'auth_tokens', new URL('../migrations', import.meta.url))
    const database = openDatabase(config, 'auth-tokens')
    const bus = await connectBus(config, log)
    const recordUse = createRecordUse(() => database.sql)
    const flush = () => recordUse.flush().catch(err => log.warn({ err }, 'last uses not written yet'))
    setInterval(flush, flushEveryMs).unref()
    const deps = createDeps({ database, now: Date.now, recordUse })
    const served = await serve(bus, authTokens, { handlers, deps, log })
    return { ready: { bus: () => bus.connected }, drain: [served.drain, flush, database.close] }
  })
}

start().catch(failToStart)
