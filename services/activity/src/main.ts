import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { serve } from '@svc/bus/serve'
import { activity } from '@svc/contract/activity/activity'
import { readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { withEitherPassword } from '@svc/runtime/either-password'
import { createLog } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { startWorkLoop } from '@svc/runtime/work-loop'
import { processMetrics } from '@svc/telemetry/metrics'
import { activityConfig } from './config.ts'
import { handlers } from './handlers.ts'
import { maintainPartitions } from './keeping/partitions.ts'
import { startReaders } from './keeping/read-outboxes.ts'

const maintainEveryMs = 3_600_000

async function start() {
  const config = readConfig(activityConfig)
  const log = createLog('activity', config.LOG_LEVEL)
  const metrics = processMetrics('activity', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('../migrations', import.meta.url)
    await withEitherPassword(config, url => migrate(url, 'activity', migrations))
    const database = openDatabase(config, 'activity', metrics)
    const bus = await connectBus(config, log, metrics)
    const maintenance = startWorkLoop({
      name: 'maintain_partitions',
      work: () => maintainPartitions(() => database.sql, Date.now(), config.ACTIVITY_RETENTION_DAYS),
      everyMs: maintainEveryMs,
      log,
      metrics,
    })
    maintenance.wake()
    const readers = startReaders({ bus, call: createCall(bus), sql: () => database.sql, log, metrics })
    const served = await serve(bus, activity, {
      handlers,
      deps: call => ({ sql: database.within(call.deadline) }),
      log,
    })
    return {
      ready: { bus: () => bus.connected },
      drain: [readers.stop, maintenance.stop, served.drain, database.close],
    }
  })
}

start().catch(failToStart)
