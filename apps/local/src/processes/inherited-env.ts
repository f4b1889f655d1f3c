import { entries, type ServiceName } from '@svc/contract/manifest'

/** By variable, the service that may have it. MAIL_URL is passed on explicitly. */
const owners = new Map<string, ServiceName>(
  entries.flatMap(([name, { givenSecrets = [] }]) => givenSecrets.map(variable => [variable, name] as const)),
)

/**
 * This process's environment without variables that each process gets separately, or must not have: a service's
 * secrets are for that service only.
 */
export function inheritedEnv(program: string): NodeJS.ProcessEnv {
  const {
    DATABASE_URL,
    DATABASE_SECOND_PASSWORD,
    SEALING_KEYS,
    AGENT_ISSUER_SEED,
    AGENT_ISSUER_SECOND_SEED,
    AGENT_SECRETS,
    NATS_URL,
    NATS_USER,
    NATS_PASSWORD,
    PORT,
    HOST,
    MAIL_URL,
    MAIL_FROM,
    ...rest
  } = process.env
  for (const name of Object.keys(rest)) {
    if (/^NATS_(.*_PASSWORD|NKEY_SEED|TLS_CA_FILE)$/.test(name)) delete rest[name]
    if (owners.has(name) && owners.get(name) !== program) delete rest[name]
  }
  return rest
}
