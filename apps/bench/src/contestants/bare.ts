/** `--bare`: the product with the features of its peers, as far as a setting or a trigger can take the others away. */
import postgres from 'postgres'

export const bareEnv = { RATE_LIMIT_CREDENTIAL: '0', RATE_LIMIT_WORKSPACE: '0' }

export const bareNote =
  'The product bare: it writes and publishes no events and has no rate limits. Metrics, quotas, deadlines and bounds stay. Targets are not judged.'

/** Schemas whose outboxes the compared requests write to. */
const schemas = ['offers', 'compute']

/** Drops events before they are written, so that none is published either: no setting does that. */
export async function dropEvents(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    for (const schema of schemas) {
      await sql.unsafe(`
        create function ${schema}.drop_event() returns trigger language plpgsql as 'begin return null; end';
        create trigger drop_event before insert on ${schema}.outbox
          for each row execute function ${schema}.drop_event()`)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}
