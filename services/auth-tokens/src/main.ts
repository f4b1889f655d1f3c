import { createCall } from '@svc/bus/call'
import { createAskForRecall } from '@svc/bus/recalls'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events/events'
import { serve } from '@svc/bus/serve'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { readConfig } from '@svc/runtime/config'
import { type Database, openDatabase } from '@svc/runtime/database'
import { createLog, type Log } from '@svc/runtime/log'
import { withEitherPassword } from '@svc/runtime/either-password'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { ensureQuotas } from '@svc/runtime/quotas'
import { startRelay } from '@svc/runtime/outbox/relay-events'
import { createSeal, type Seal } from '@svc/runtime/seal'
import { type WorkLoop, startWorkLoop } from '@svc/runtime/work-loop'
import { type Metrics, processMetrics } from '@svc/telemetry/metrics'
import { authTokensConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { createDelivery } from './mail/mail-delivery.ts'
import { createRecall } from './leases/recall.ts'
import { purge } from './purge.ts'
import { createRefusalEvents } from './credentials/refusal-events.ts'
import { createRecordUse } from './credentials/record-use.ts'
import { queueTimedNotices } from './mail/notices/queue-timed-notices.ts'
import { startMessageSender } from './mail/send-messages.ts'
import { ensureSigningKeys } from './signing-keys/signing-keys.ts'

const flushEveryMs = 5000
const tellEveryMs = 1000
const noticesEveryMs = 4000

async function start() {
  const config = readConfig(authTokensConfig)
  const log = createLog('auth-tokens', config.LOG_LEVEL)
  const metrics = processMetrics('auth-tokens', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('../migrations', import.meta.url)
    await withEitherPassword(config, url => migrate(url, 'auth_tokens', migrations))
    const database = openDatabase(config, 'auth-tokens', metrics)
    await ensureQuotas(database.sql, 'auth-tokens')
    const seal = createSeal(config.SEALING_KEYS)
    await ensureSigningKeys(database.sql, seal, Math.floor(Date.now() / 1000))
    const bus = await connectBus(config, log, metrics)
    const recordUse = createRecordUse(() => database.sql)
    const refusals = createRefusalEvents(() => database.sql)
    const uses = startWorkLoop({
      name: 'record_last_uses',
      work: async () => {
        await recordUse.flush()
        return false
      },
      everyMs: flushEveryMs,
      log,
      metrics,
    })
    const purging = startWorkLoop({
      name: 'purge',
      work: async () => {
        await purge(database.sql, Math.floor(Date.now() / 1000))
        return false
      },
      everyMs: config.PURGE_EVERY_SECONDS * 1000,
      log,
      metrics,
    })
    const notices = startWorkLoop({
      name: 'queue_notices',
      work: () => queueTimedNotices(() => database.sql, Date.now() / 1000),
      everyMs: noticesEveryMs,
      log,
      metrics,
    })
    const sender = sendMessages(config, database, seal, log, metrics)
    const { publish } = openEventStream(bus, config, log)
    const relay = startRelay({ metrics, sql: () => database.sql, publish, log })
    const telling = startWorkLoop({
      name: 'tell_refusals',
      work: async () => {
        if (await refusals.flush()) relay.wake()
        return false
      },
      everyMs: tellEveryMs,
      log,
      metrics,
    })
    const deps = createDeps({
      database,
      now: Date.now,
      recordUse,
      refusals,
      publicUrl: config.PUBLIC_URL,
      seal,
      messageQueued: sender?.wake,
      eventWritten: relay.wake,
      callBus: createCall(bus),
      recall: createRecall({ database, ask: createAskForRecall(bus) }),
    })
    const served = await serve(bus, authTokens, { handlers, deps, log })
    const stopSending = async () => sender?.stop()
    const writeLastUses = () =>
      recordUse.flush().catch(err => log.warn({ err }, 'the last uses of credentials are lost'))
    const tellRest = () => refusals.flush(true).catch(err => log.warn({ err }, 'some refusals are not told'))
    return {
      ready: { bus: () => bus.connected },
      drain: [
        relay.stop,
        purging.stop,
        notices.stop,
        served.drain,
        stopSending,
        uses.stop,
        writeLastUses,
        telling.stop,
        tellRest,
        database.close,
      ],
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
  seal: Seal,
  log: Log,
  metrics: Metrics,
): WorkLoop | undefined {
  if (url === undefined) {
    log.warn('MAIL_URL is not set: messages stay queued')
    return undefined
  }
  const from = MAIL_FROM ?? `svc <no-reply@${new URL(publicUrl).hostname}>`
  const deliver = createDelivery(url, from, log)
  const sql = () => database.sql
  return startMessageSender({ sql, now: Date.now, log, metrics, publicUrl, deliver, seal })
}

start().catch(failToStart)
