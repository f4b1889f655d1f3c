/** What every peer reads from the environment, and how it says that it is ready. */

export function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set.`)
  return value
}

export const host = () => process.env.HOST ?? '127.0.0.1'
export const port = () => Number(required('PORT'))
export const logLevel = () => process.env.LOG_LEVEL ?? 'info'

/** The address of NATS, and the user and password that stand in it. */
export function natsAccess(): { servers: string; user?: string; pass?: string } {
  const { host, username, password } = new URL(required('NATS_URL'))
  const access = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return { servers: host, ...(username && access) }
}

export const sayReady = () => process.stdout.write('ready\n')
