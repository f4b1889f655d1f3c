import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events'
import { serve } from '@svc/bus/serve'
import { offers } from '@svc/contract/offers'
import { databaseConfig, eventsConfig, processConfig, readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { startRelay } from '@svc/runtime/relay-events'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { createInputSchemas } from './input-schema/input-schemas.ts'
import { startSweep } from './start-sweep.ts'
import { sweepOrders } from './sweep-orders.ts'

const sweepEveryMs = 3000

async function start() {
  const config = readConfig({ ...processConfig, ...databaseConfig, ...eventsConfig })
  const log = createLog('offers', config.LOG_LEVEL)
  await run(config, log, async () => {
    await migrate(config.DATABASE_URL, 'offers', new URL('../migrations', import.meta.url))
    const database = openDatabase(config, 'offers')
    const bus = await connectBus(config, log)
    const schemas = createInputSchemas({
      onThreadLost: lost => log.warn(lost, 'an input schema was too expensive to evaluate'),
    })
    const { publish } = openEventStream(bus, config, log)
    const relay = startRelay({ sql: () => database.sql, publish, log })
    const round = () => sweepOrders(() => database.sql, Date.now())
    const sweep = startSweep({ round, everyMs: sweepEveryMs, log })
    const callBus = createCall(bus)
    const deps = createDeps({ database, now: Date.now, schemas, callBus, eventWritten: relay.wake })
    const served = await serve(bus, offers, { handlers, deps, log })
    return {
      ready: { bus: () => bus.connected },
      drain: [relay.stop, sweep.stop, served.drain, schemas.close, database.close],
    }
  })
}

start().catch(failToStart)
