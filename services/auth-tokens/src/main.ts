import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events'
import { serve } from '@svc/bus/serve'
import { authTokens } from '@svc/contract/auth-tokens'
import { readConfig } from '@svc/runtime/config'
import { type Database, openDatabase } from '@svc/runtime/database'
import { createLog, type Log } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { ensureQuotas } from '@svc/runtime/quotas'
import { startRelay } from '@svc/runtime/relay-events'
import { createSeal } from '@svc/runtime/seal'
import { processMetrics } from '@svc/telemetry/metrics'
import { authTokensConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { createDelivery } from './mail-delivery.ts'
import { purge } from './purge.ts'
import { createRecordUse } from './record-use.ts'
import { type MessageSender, startMessageSender } from './send-messages.ts'
import { ensureSigningKeys } from './signing-keys.ts'

const flushEveryMs = 5000

async function start() {
  const config = readConfig(authTokensConfig)
  const log = createLog('auth-tokens', config.LOG_LEVEL)
  const metrics = processMetrics('auth-tokens', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    await migrate(config.DATABASE_URL, 'auth_tokens', new URL('../migrations', import.meta.url))
    const database = openDatabase(config, 'auth-tokens', metrics)
    await ensureQuotas(database.sql, 'auth-tokens')
    const seal = createSeal(config.SEALING_KEYS)
    await ensureSigningKeys(database.sql, seal, Math.floor(Date.now() / 1000))
    const bus = await connectBus(config, log, metrics)
    const recordUse = createRecordUse(() => database.sql)
    const flush = () => recordUse.flush().catch(err => log.warn({ err }, 'last uses not written yet'))
    setInterval(flush, flushEveryMs).unref()
    const purgeNow = () =>
      purge(database.sql, Math.floor(Date.now() / 1000)).catch(err =>
        log.warn({ err }, 'nothing purged this time'),
      )
    setInterval(purgeNow, config.PURGE_EVERY_SECONDS * 1000).unref()
    const sender = sendMessages(config, database, log)
    const { publish } = openEventStream(bus, config, log)
    const relay = startRelay({ metrics, sql: () => database.sql, publish, log })
    const deps = createDeps({
      database,
      now: Date.now,
      recordUse,
      publicUrl: config.PUBLIC_URL,
      seal,
      messageQueued: sender?.wake,
      eventWritten: relay.wake,
      callBus: createCall(bus),
    })
    const served = await serve(bus, authTokens, { handlers, deps, log })
    const stopSending = async () => sender?.stop()
    return {
      ready: { bus: () => bus.connected },
      drain: [relay.stop, served.drain, stopSending, flush, database.close],
    }
  })
}

function sendMessages(
  {
    MAIL_URL: url,
    MAIL_FROM,
    PUBLIC_URL: publicUrl,
  }: { MAIL_URL?: string; MAIL_FROM?: string; PUBLIC_URL: string },
  database: Database,
  log: Log,
): MessageSender | undefined {
  if (url === undefined) {
    log.warn('MAIL_URL is not set: messages are kept until it is')
    return undefined
  }
  const from = MAIL_FROM ?? `svc <no-reply@${new URL(publicUrl).hostname}>`
  const deliver = createDelivery(url, from, log)
  return startMessageSender({ sql: () => database.sql, now: Date.now, log, publicUrl, deliver })
}

start().catch(failToStart)
