import { answerCallouts } from '@svc/bus/auth-callout'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events/events'
import { sendNotice } from '@svc/bus/notices'
import { serve } from '@svc/bus/serve'
import { compute } from '@svc/contract/compute/compute'
import { readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import { withEitherPassword } from '@svc/runtime/either-password'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { ensureQuotas } from '@svc/runtime/quotas'
import { createEventReader } from '@svc/runtime/outbox/read-events'
import { startRelay } from '@svc/runtime/outbox/relay-events'
import { processMetrics } from '@svc/telemetry/metrics'
import { admitAgents } from './agents/admit-agent.ts'
import { computeConfig } from './config.ts'
import { handlers } from './handlers.ts'
import { notifyAgents } from './agents/notify-agents.ts'
import { createSettingsWriter } from './settings/write-settings.ts'

async function start() {
  const config = readConfig(computeConfig)
  const log = createLog('compute', config.LOG_LEVEL)
  const metrics = processMetrics('compute', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('../migrations', import.meta.url)
    await withEitherPassword(config, url => migrate(url, 'compute', migrations))
    const database = openDatabase(config, 'compute', metrics)
    await ensureQuotas(database.sql, 'compute')
    const bus = await connectBus(config, log, metrics)
    const { publish } = openEventStream(bus, config, log)
    const notify = (subject: string) => sendNotice(bus, subject)
    const relay = startRelay({
      metrics,
      sql: () => database.sql,
      publish: notifyAgents(publish, notify),
      log,
    })
    const deps = {
      now: Date.now,
      maxMachines: config.MAX_MACHINES,
      writeSettings: createSettingsWriter(database, Date.now),
      eventWritten: relay.wake,
      readEvents: createEventReader(database),
      callBus: createCall(bus),
    }
    const served = await serve(bus, compute, {
      handlers,
      deps: call => ({ ...deps, call, sql: database.within(call.deadline) }),
      log,
    })
    if (config.AGENT_ISSUER_SEED) {
      answerCallouts(bus, {
        seed: config.AGENT_ISSUER_SEED,
        secondSeed: config.AGENT_ISSUER_SECOND_SEED,
        admit: admitAgents(database, deps.now),
        log,
      })
    }
    return { ready: { bus: () => bus.connected }, drain: [relay.stop, served.drain, database.close] }
  })
}

start().catch(failToStart)
