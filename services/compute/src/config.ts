import { serviceConfig } from '@svc/runtime/config'
import { z } from 'zod'

const issuerSeed = z.string().regex(/^SA[A-Z2-7]{56}$/, 'must be the seed of an account’s nkey (SA…)')

export const computeConfig = {
  ...serviceConfig,
  AGENT_ISSUER_SEED: issuerSeed
    .optional()
    .describe('signs what agents may do on the bus; without it no agent can connect'),
  AGENT_ISSUER_SECOND_SEED: issuerSeed.optional().describe('signs for servers that name its public key'),
  MAX_MACHINES: z.coerce.number().int().min(1).max(1_000_000).default(1000),
}
