import { workspaceName } from '@svc/bus/workspace-name'
import type { Handler } from '@svc/contract/core/operation'
import type { quotaOperations } from '@svc/contract/core/quotas'
import { readEvents } from './outbox/read-events.ts'
import { listQuotas, setQuota } from './quotas.ts'
import type { ServiceDeps } from './service-deps.ts'

type QuotaHandler<Name extends keyof typeof quotaOperations> = Handler<
  (typeof quotaOperations)[Name],
  ServiceDeps
>

export function commonHandlers(service: string) {
  const list_quotas: QuotaHandler<'list_quotas'> = async (_input, { workspace }, { sql }) => ({
    body: { data: await listQuotas(sql, service, workspace) },
  })
  const set_quota: QuotaHandler<'set_quota'> = async ({ body }, { workspace }, deps) => {
    const { sql, call, callBus, eventWritten } = deps
    const wanted = { ...body, workspace, by: call.by }
    const answer = await setQuota(sql, service, wanted, () =>
      workspaceName(callBus, { caller: service, workspace, call }),
    )
    eventWritten()
    return { body: answer }
  }
  return { list_quotas, set_quota, read_events: readEvents }
}
