import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createAgentSecret } from './create-agent-secret.ts'
import { getAgentSettings } from './get-agent-settings.ts'
import { reportMachines } from './report-machines.ts'
import { revokeAgentSecret } from './revoke-agent-secret.ts'

export const agentsHandlers = {
  create_agent_secret: createAgentSecret,
  revoke_agent_secret: revokeAgentSecret,
  get_agent_settings: getAgentSettings,
  report_machines: reportMachines,
} satisfies Partial<Handlers<typeof compute, Deps>>
