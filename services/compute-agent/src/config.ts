import { processConfig } from '@svc/runtime/config'
import { isAgentSecret } from '@svc/runtime/credential'
import { z } from 'zod'

const cluster = z
  .string()
  .regex(
    /^clus_[0-9A-Za-z_-]+(=[a-z0-9.-]+\/[a-z0-9.-]+)?$/,
    'must be clus_… or clus_…=<namespace>/<name of the MachineDeployment>, several separated by commas',
  )
  .transform(entry => {
    const [cluster_id = '', namespace, name] = entry.split(/[=/]/)
    return { cluster_id, ...(namespace && name && { machineDeployment: { namespace, name } }) }
  })

const secret = z
  .string()
  .refine(
    entry => /^clus_[0-9A-Za-z_-]+=/.test(entry) && isAgentSecret(entry.slice(entry.indexOf('=') + 1)),
    {
      error: 'must be clus_…=ak_svc_…, several separated by commas, as shown when they were created',
    },
  )
  .transform(entry => entry.split('=') as [cluster_id: string, secret: string])

const { NATS_NKEY_SEED: _, NATS_SECOND_PASSWORD: __, NATS_USER, NATS_PASSWORD, ...rest } = processConfig

export const agentConfig = {
  ...rest,
  NATS_USER: NATS_USER.optional().describe(
    'for a bus that does not know agents by their secrets; otherwise absent',
  ),
  NATS_PASSWORD,
  AGENT_SECRETS: z
    .string()
    .transform(entries => entries.split(',').map(entry => entry.trim()))
    .pipe(z.array(secret).min(1))
    .transform(entries => new Map(entries))
    .describe('the agent secret of each cluster, clus_…=ak_svc_…'),
  CLUSTERS: z
    .string()
    .transform(entries => entries.split(',').map(entry => entry.trim()))
    .pipe(z.array(cluster).min(1)),
  DRIVER: z.enum(['simulated', 'cluster-api']),
  RECONCILE_EVERY_SECONDS: z.coerce
    .number()
    .positive()
    .max(3600)
    .default(30)
    .describe('how often everything is compared, whether or not a change was announced'),
  MIN_MACHINES: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('lower bound while auto-scaling is active'),
  CLUSTER_API_VERSION: z
    .string()
    .regex(/^v\d+((alpha|beta)\d+)?$/, 'must be a version such as v1beta1')
    .default('v1beta1')
    .describe('version of the API cluster.x-k8s.io'),
  SIMULATED_STEP_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('how long a simulated machine takes to start or stop'),
}

export type ClusterConfig = z.output<typeof cluster>
export type AgentConfig = z.output<z.ZodObject<typeof agentConfig>>
