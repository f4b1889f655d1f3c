import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCall } from '@svc/bus/call'
import { type BusConfig, connectBus } from '@svc/bus/connection'
import { ApiError } from '@svc/contract/core/errors'
import type { Command, Given } from './admin-command.ts'
import { commands, usage } from './admin-commands.ts'
import { checkBus } from './bus-access.ts'
import { readBusFile } from './bus-file.ts'
import { repoRoot } from './repo-root.ts'
import { describe } from './wait-until.ts'

export type AdminSurroundings = {
  env: NodeJS.ProcessEnv
  readInput: () => Promise<string>
  out: (text: string) => void
  err: (text: string) => void
}

/** `npm run admin -- <command>`: one bus-only operation. Resolves to the exit status. */
export async function admin(
  args: string[],
  { env, readInput, out, err }: AdminSurroundings,
): Promise<0 | 1 | 2> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    out(usage)
    return args.length === 0 ? 2 : 0
  }
  try {
    const { command, json, given } = await understand(args, readInput, env)
    const { answer, lines } = await call(command, given, await busOf(env))
    out(json ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`)
    return 0
  } catch (error) {
    if (error instanceof NotUnderstood) {
      err(`${error.message}\n\n${usage}`)
      return 2
    }
    err(`${reasons(error).join('\n')}\n`)
    return 1
  }
}

class NotUnderstood extends Error {}

async function understand(args: string[], readInput: () => Promise<string>, env: NodeJS.ProcessEnv) {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find(one => Object.hasOwn(commands, one))
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command) throw new NotUnderstood(`Unknown command "${args[0]}".`)
  const { values, positionals } = parsed(command, args.slice(name.split(' ').length))
  const [argument = ''] = positionals
  if (positionals.length > (command.argument ? 1 : 0)) {
    throw new NotUnderstood(`${name} does not take "${positionals.at(-1)}".`)
  }
  if (command.argument && !argument) throw new NotUnderstood(`${name} needs the ${command.argument}.`)
  const options = Object.fromEntries(
    Object.keys(command.options).map(option => {
      const value = values[option]
      if (typeof value !== 'string' || value === '') throw new NotUnderstood(`${name} needs --${option}.`)
      return [option, value]
    }),
  )
  const given: Given = {
    options,
    argument,
    password: values['password-stdin'] ? await passwordOf(readInput) : undefined,
    operator: { caller: { kind: 'internal', id: 'admin', name: operatorName(env) } },
  }
  return { command, json: values.json === true, given }
}

function operatorName({ SVC_OPERATOR }: NodeJS.ProcessEnv): string {
  if (SVC_OPERATOR) return SVC_OPERATOR
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return `uid ${process.getuid?.()}`
  }
}

function parsed(
  { options, argument, takesPassword }: Command,
  args: string[],
): { values: Readonly<Record<string, string | boolean | undefined>>; positionals: string[] } {
  try {
    return parseArgs({
      args: argument === undefined ? args : withArgument(args),
      allowPositionals: true,
      options: {
        ...Object.fromEntries(Object.keys(options).map(name => [name, { type: 'string' as const }])),
        ...(takesPassword && { 'password-stdin': { type: 'boolean' as const } }),
        json: { type: 'boolean' as const },
      },
    })
  } catch (error) {
    throw new NotUnderstood(describe(error))
  }
}

/** One key id in 64 begins with a hyphen. A command with an argument takes no option but --json. */
function withArgument(args: string[]): string[] {
  const json = args.filter(arg => arg === '--json')
  return [...json, '--', ...args.filter(arg => arg !== '--json' && arg !== '--')]
}

/** Never as an argument: everyone on the machine can read those. */
async function passwordOf(readInput: () => Promise<string>): Promise<string> {
  const password = (await readInput()).replace(/\r?\n$/, '')
  if (password === '') throw new NotUnderstood('--password-stdin: there is no password on standard input.')
  return password
}

async function busOf(env: NodeJS.ProcessEnv): Promise<BusConfig> {
  const { NATS_URL, NATS_USER, NATS_PASSWORD, NATS_SECOND_PASSWORD, NATS_NKEY_SEED, NATS_TLS_CA_FILE } = env
  if (!NATS_URL) {
    const dataDir = env.SVC_DATA_DIR ? resolve(env.SVC_DATA_DIR) : join(repoRoot, '.svc')
    const access = await readBusFile(dataDir)
    const reached =
      access &&
      (await checkBus(access.NATS_URL)
        .then(() => true)
        .catch(() => false))
    if (reached) return access
    throw new Error(
      `Nothing is running with the data folder ${dataDir}: start it with npm start, or set NATS_URL.`,
    )
  }
  if (!NATS_PASSWORD && !NATS_NKEY_SEED) {
    throw new Error('NATS_URL is set but NATS_PASSWORD is not: set both.')
  }
  await checkBus(NATS_URL)
  return {
    NATS_URL,
    NATS_USER: NATS_USER || 'backoffice',
    ...(NATS_PASSWORD && { NATS_PASSWORD }),
    ...(NATS_SECOND_PASSWORD && { NATS_SECOND_PASSWORD }),
    ...(NATS_NKEY_SEED && { NATS_NKEY_SEED }),
    ...(NATS_TLS_CA_FILE && { NATS_TLS_CA_FILE }),
  }
}

/** The server does not answer a wrong user while compute is away: docs/inside/bus.md. */
const connectMs = 5000

async function call(command: Command, given: Given, access: BusConfig) {
  const silent = { info() {}, warn() {}, error() {} }
  const bus = await connectBus({ ...access, connectMs }, silent).catch(error => {
    throw new Error(`The bus refuses the user ${access.NATS_USER}: ${describe(error)}.`)
  })
  try {
    return await command.run(createCall(bus), given)
  } finally {
    await bus.close()
  }
}

function reasons(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [describe(error)]
  const { errors = [] } = error.body as { errors?: { message: string }[] }
  return errors.length > 0 ? errors.map(({ message }) => message) : [error.message]
}
