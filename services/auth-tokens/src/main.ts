import { createRecallQuestions } from '@svc/bus/recalls'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { readConfig } from '@svc/runtime/config'
import { createSeal } from '@svc/runtime/seal'
import { startService } from '@svc/runtime/start-service'
import { authTokensConfig } from './config.ts'
import { createRecordUse } from './credentials/record-use.ts'
import { createRefusalEvents } from './credentials/refusal-events.ts'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { guardNarrowing } from './leases/guard-narrowing.ts'
import { createRecall } from './leases/recall.ts'
import { clearWorkspaces } from './members/clear-workspaces.ts'
import { queueTimedNotices } from './mail/notices/queue-timed-notices.ts'
import { startSender } from './mail/start-sender.ts'
import { purge } from './purge.ts'
import { ensureSigningKeys } from './signing-keys/signing-keys.ts'

const now = Date.now
const seconds = () => Math.floor(now() / 1000)
const done = () => false

startService({
  contract: authTokens,
  folder: new URL('..', import.meta.url),
  config: () => readConfig(authTokensConfig),
  prepare: (sql, { SEALING_KEYS }) => ensureSigningKeys(sql, createSeal(SEALING_KEYS), seconds()),
  handlers: guardNarrowing(handlers),
  start({ config, log, metrics, database, sql, bus, callBus, eventWritten }) {
    const publicUrl = config.PUBLIC_URL
    const seal = createSeal(config.SEALING_KEYS)
    const recordUse = createRecordUse(sql)
    const refusals = createRefusalEvents(sql)
    const sender = startSender({ config, sql, now, seal, log, metrics })
    const recall = createRecall({ database, openQuestion: createRecallQuestions(bus) })
    const messageQueued = sender?.wake
    const workloads = config.TRUSTED_WORKLOADS
    const parts = {
      recordUse,
      refusals,
      publicUrl,
      workloads,
      seal,
      messageQueued,
      eventWritten,
      callBus,
      recall,
    }
    return {
      deps: createDeps({ database, now, ...parts }),
      beforeCalls: [
        {
          name: 'purge',
          work: () => purge(sql(), seconds()).then(done),
          everyMs: config.PURGE_EVERY_SECONDS * 1000,
        },
        { name: 'clear_workspaces', work: () => clearWorkspaces(sql, callBus, now() / 1000), everyMs: 5000 },
        { name: 'queue_notices', work: () => queueTimedNotices(sql, now() / 1000), everyMs: 4000 },
      ],
      afterCalls: [
        sender,
        { name: 'record_last_uses', work: () => recordUse.flush().then(done), everyMs: 5000 },
        {
          stop: () =>
            recordUse
              .flush()
              .catch(err => log.warn({ err }, 'last uses of credentials could not be recorded')),
        },
        {
          name: 'record_refusals',
          work: async () => {
            if (await refusals.flush()) eventWritten()
            return false
          },
          everyMs: 1000,
        },
        {
          stop: () =>
            refusals.flush(true).catch(err => log.warn({ err }, 'some refusals could not be recorded')),
        },
      ],
    }
  },
})
