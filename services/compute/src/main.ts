import { answerCallouts } from '@svc/bus/auth-callout'
import { sendNotice } from '@svc/bus/notices'
import { compute } from '@svc/contract/compute/compute'
import { readConfig } from '@svc/runtime/config'
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
  start({ config, log, database, bus, serviceDeps }) {
    const own = { maxMachines: config.MAX_MACHINES, writeSettings: createSettingsWriter(database, Date.now) }
    return {
      deps(call) {
        const deps = serviceDeps(call)
        return {
          ...deps,
          ...own,
          readEvents: notifyAgents(deps.readEvents, subject => sendNotice(bus, subject)),
        }
      },
      served() {
        const { AGENT_ISSUER_SEED: seed, AGENT_ISSUER_SECOND_SEED: secondSeed } = config
        if (seed) answerCallouts(bus, { seed, secondSeed, admit: admitAgents(database, Date.now), log })
      },
    }
  },
})
