import { answerCallouts } from '@svc/bus/auth-callout'
import { sendNotice } from '@svc/bus/notices'
import { compute } from '@svc/contract/compute/compute'
import { readConfig } from '@svc/runtime/config'
import { createEventReader } from '@svc/runtime/outbox/read-events'
import { startService } from '@svc/runtime/start-service'
import { admitAgents } from './agents/admit-agent.ts'
import { notifyAgents } from './agents/notify-agents.ts'
import { computeConfig } from './config.ts'
import { handlers } from './handlers.ts'
import { createSettingsWriter } from './settings/write-settings.ts'

startService({
  contract: compute,
  folder: new URL('..', import.meta.url),
  config: () => readConfig(computeConfig),
  handlers,
  start({ config, log, database, bus, callBus, eventWritten }) {
    const deps = {
      now: Date.now,
      maxMachines: config.MAX_MACHINES,
      writeSettings: createSettingsWriter(database, Date.now),
      eventWritten,
      readEvents: notifyAgents(createEventReader(database), subject => sendNotice(bus, subject)),
      callBus,
    }
    return {
      deps: call => ({ ...deps, call, sql: database.within(call.deadline) }),
      beforeCalls: [],
      served() {
        const { AGENT_ISSUER_SEED: seed, AGENT_ISSUER_SECOND_SEED: secondSeed } = config
        if (seed) answerCallouts(bus, { seed, secondSeed, admit: admitAgents(database, deps.now), log })
      },
    }
  },
})
