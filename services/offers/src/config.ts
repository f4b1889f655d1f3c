import {
  ConfigError,
  databaseConfig,
  processConfig,
  publicConfig,
  readConfig,
  sealConfig,
} from '@svc/runtime/config'
import { z } from 'zod'

export const offersConfig = {
  ...processConfig,
  ...databaseConfig,
  ...publicConfig,
  ...sealConfig,
  CHECKOUT: z.enum(['manual', 'stripe']).default('manual').describe('who takes the payments of new orders'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_\w+$/, 'must be a Stripe secret key (sk_…) or restricted key (rk_…)')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of a Stripe webhook (whsec_…)')
    .optional(),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .transform(url => new URL(url).origin)
    .optional()
    .describe('an address to use instead of https://api.stripe.com'),
}

export interface StripeConfig {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly apiBase: string | undefined
  readonly publicUrl: string
}

/**
 * Reads {@link offersConfig}. Stripe is available whenever its secrets are set: a deployment that went back to `manual` may still have earlier orders and refunds.
 *
 * @throws ConfigError
 */
export function readOffersConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = readConfig(offersConfig, env)
  return { ...config, stripe: stripeOf(config) }
}

function stripeOf(config: z.output<z.ZodObject<typeof offersConfig>>): StripeConfig | undefined {
  const { CHECKOUT, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  const { STRIPE_API_BASE: apiBase, PUBLIC_URL: publicUrl } = config
  if (secretKey && webhookSecret) return { secretKey, webhookSecret, apiBase, publicUrl }
  if (CHECKOUT === 'manual' && !secretKey && !webhookSecret) return undefined
  const why = CHECKOUT === 'stripe' ? 'CHECKOUT=stripe needs it' : 'only the other of the two is set'
  throw new ConfigError([
    ...(secretKey ? [] : [`  STRIPE_SECRET_KEY: is not set, and ${why}`]),
    ...(webhookSecret ? [] : [`  STRIPE_WEBHOOK_SECRET: is not set, and ${why}`]),
  ])
}
