/**
 * This process's environment without what each process gets a value of its own for, or must not have: Stripe's keys are
 * for offers alone.
 */
export function inheritedEnv(program: string): NodeJS.ProcessEnv {
  const {
    DATABASE_URL,
    SEALING_KEYS,
    AGENT_ISSUER_SEED,
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
    if (name.startsWith('STRIPE_') && program !== 'offers') delete rest[name]
  }
  return rest
}
