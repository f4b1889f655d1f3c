import { greeting } from './servers/embedded-nats.ts'
import { type NatsUser, natsPasswordVariable, natsUsers } from './secrets.ts'
import { describe } from './wait-until.ts'

export type BusAccess = { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string }

/**
 * How each user reaches an external bus: with the credentials in `natsUrl` if there are any (all users then share
 * them), otherwise with the passwords in NATS_<USER>_PASSWORD.
 *
 * @throws Error that names all missing ones
 */
export function externalBus(natsUrl: string, env: NodeJS.ProcessEnv): (user: NatsUser) => BusAccess {
  const servers = natsUrl.split(',').map(text => parse(text.trim()))
  const [first] = servers
  const bare = servers.map(({ protocol, host }) => `${protocol}//${host}`).join(',')
  if (first?.username) {
    const shared = {
      NATS_URL: bare,
      NATS_USER: decodeURIComponent(first.username),
      NATS_PASSWORD: decodeURIComponent(first.password),
    }
    return () => shared
  }
  const missing = [...natsUsers.map(natsPasswordVariable), 'AGENT_ISSUER_SEED'].filter(name => !env[name])
  if (missing.length > 0) {
    throw new Error(
      `NATS_URL (${bare}) has no credentials in it, and these are not set: ${missing.join(', ')}. Set them as ` +
        'the server has them (deploy/nats/nats.conf), or use nats://user:password@host:port.',
    )
  }
  return user => ({
    NATS_URL: bare,
    NATS_USER: user,
    NATS_PASSWORD: env[natsPasswordVariable(user)] as string,
  })
}

/** How agents reach it: with their own secrets, or with the credentials that all users share. */
export function agentAccess(bus: (user: NatsUser) => BusAccess): Partial<BusAccess> {
  const { NATS_URL, ...shared } = bus('compute')
  return { NATS_URL, ...(shared.NATS_USER !== 'compute' && shared) }
}

/** @throws Error with host and port, if none of the servers in `natsUrl` greets like a NATS server */
export async function checkBus(natsUrl: string): Promise<void> {
  const problems: string[] = []
  for (const text of natsUrl.split(',')) {
    const { hostname, port } = parse(text.trim())
    const host = hostname.replace(/^\[|\]$/g, '')
    try {
      const said = await greeting(host, Number(port || 4222))
      if (said.startsWith('INFO ')) return
      problems.push(`${hostname}:${port || 4222}: what answers there is not a NATS server`)
    } catch (error) {
      problems.push(`${hostname}:${port || 4222}: ${describe(error)}`)
    }
  }
  throw new Error(
    `NATS_URL: no NATS server answers. ${problems.join('; ')}. Start it, or correct or unset NATS_URL.`,
  )
}

function parse(text: string): URL {
  try {
    return new URL(text.includes('://') ? text : `nats://${text}`)
  } catch {
    throw new Error('NATS_URL is not a URL such as nats://user:password@host:4222.')
  }
}
