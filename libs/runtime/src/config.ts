/** Configuration from the environment, read once, before anything is started. */
import { readConnectionString } from './connection/connection-string.ts'
import { sealingKeysPattern } from './seal.ts'
import { z } from 'zod'

export const processConfig = {
  NATS_URL: z.string().min(1).describe('nats://host:port; several, separated by commas'),
  NATS_USER: z.string().min(1).describe('the process’s own user on the bus'),
  NATS_PASSWORD: z.string().min(1).optional().describe('its password'),
  NATS_SECOND_PASSWORD: z.string().min(1).optional().describe('tried where the other one is refused'),
  NATS_NKEY_SEED: z
    .string()
    .regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of a user’s nkey (SU…)')
    .optional()
    .describe('instead of a password, where the server knows its users by nkeys'),
  NATS_TLS_CA_FILE: z.string().optional().describe('PEM file of the certificate authority: connect with TLS'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HEALTH_PORT: z.coerce.number().int().min(0).max(65535).default(9090).describe('port of /livez and /readyz'),
  HEALTH_HOST: z.string().default('0.0.0.0'),
  DRAIN_TIMEOUT_MS: z.coerce.number().int().min(0).default(10_000).describe('how long a shutdown may take'),
}

export const publicConfig = {
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    // A path would have to be inserted into well-known addresses (RFC 8414, 3.1), and nothing is served below
    // a path.
    .refine(url => !URL.canParse(url) || isOrigin(new URL(url)), 'must have no path, query or fragment')
    .transform(url => new URL(url).origin)
    .default('http://localhost:8080')
    .describe('public address of the gateway, and the issuer of JWTs'),
}

export const sealConfig = {
  SEALING_KEYS: z
    .string()
    .regex(sealingKeysPattern, 'must be <id>:<base64 of 32 bytes>, several separated by commas')
    .refine(
      keys => !sealingKeysPattern.test(keys) || hasDistinctIds(keys),
      'must not contain two keys with the same id',
    )
    .describe('keys for secrets at rest: the first seals, all of them open'),
}

const hasDistinctIds = (keys: string) => {
  const ids = keys.split(',').map(key => key.slice(0, key.indexOf(':')))
  return new Set(ids).size === ids.length
}

const isOrigin = ({ pathname, search, hash, username }: URL) =>
  /^\/*$/.test(pathname) && !search && !hash && !username

export const databaseConfig = {
  DATABASE_URL: z.string().check(({ value, issues }) => {
    try {
      readConnectionString(value).tls()
    } catch (error) {
      issues.push({ code: 'custom', message: (error as Error).message, input: value })
    }
  }),
  DATABASE_SECOND_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .describe('tried where the one in DATABASE_URL is refused'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(8).describe('connections'),
  DATABASE_QUEUE_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .default(512)
    .describe('statements that may wait for a connection'),
}

export const eventsConfig = {
  EVENTS_MAX_AGE_DAYS: z.coerce.number().min(1).default(7).describe('how long a new stream keeps events'),
  EVENTS_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1_048_576)
    .default(1_073_741_824)
    .describe('size of a new stream, beyond which the oldest events are removed'),
  EVENTS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('servers of a NATS cluster that keep the stream'),
}

export const serviceConfig = { ...processConfig, ...databaseConfig }

/**
 * Reads the variables that `shape` names. An empty variable counts as absent.
 *
 * @throws ConfigError that lists every problem at once, without the values
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv = process.env,
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = z.object(shape).safeParse(present)
  const problems = [...credentialProblems(shape, present), ...(result.error?.issues ?? []).map(describe)]
  if (result.success && problems.length === 0) return result.data
  throw new ConfigError(problems)

  function describe({ path, message }: z.core.$ZodIssue) {
    const name = path.map(String).join('.')
    return `  ${name}: ${String(path[0]) in present ? message : 'is not set'}`
  }
}

/** A user of the bus has either a password or an nkey. */
function credentialProblems(shape: z.ZodRawShape, present: NodeJS.ProcessEnv): string[] {
  // An agent uses the secrets of its clusters instead.
  if (!('NATS_NKEY_SEED' in shape)) return []
  const given = ['NATS_PASSWORD', 'NATS_NKEY_SEED'].filter(name => name in present)
  if (given.length === 0) return ['  NATS_PASSWORD: is not set, and neither is NATS_NKEY_SEED']
  return given.length === 1 ? [] : ['  NATS_PASSWORD: must not be set together with NATS_NKEY_SEED']
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not valid:\n${problems.join('\n')}`)
    this.name = 'ConfigError'
  }
}
