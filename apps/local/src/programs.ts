import { join } from 'node:path'
import type { ServiceName } from '@svc/contract/manifest'
import type { BusAccess } from './bus-access.ts'
import { freePort } from './free-port.ts'
import { inheritedEnv } from './processes/inherited-env.ts'
import { type Supervised, superviseProcess } from './processes/processes.ts'
import { repoRoot } from './repo-root.ts'

/** For a program that reports its state: the base of its `/readyz` and `/metrics`. */
export type Program = Supervised & { readonly healthUrl: string }

/** A program in the folder `services`. Each one except the agent is the bus user of the same name. */
export type ProgramName = ServiceName | 'gateway' | 'compute-agent'

interface ProgramsOptions {
  readonly bus: (name: ProgramName) => Partial<BusAccess>
  readonly publicUrl: string
  readonly onLine: (line: string) => void
  readonly options: {
    readonly restart?: boolean
    readonly env?: Record<string, string>
    readonly root?: string
  }
}

/**
 * Creates the function that starts programs of the build in `root`, with `env` in addition to their common
 * environment. It does not wait until they are ready.
 */
export const programs =
  ({ bus, publicUrl, onLine, options }: ProgramsOptions) =>
  async (
    name: ProgramName,
    label: string,
    env: Record<string, string>,
    root = options.root ?? repoRoot,
  ): Promise<Program> => {
    const healthPort = await freePort()
    const healthUrl = `http://127.0.0.1:${healthPort}`
    const supervised = await superviseProcess({
      name: label,
      script: join(root, 'services', name, 'dist/main.js'),
      env: {
        PUBLIC_URL: publicUrl,
        // Servers on a developer's machine may get webhooks.
        WEBHOOKS_ALLOW_LOOPBACK: 'true',
        ...inheritedEnv(name),
        ...options.env,
        ...bus(name),
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: String(healthPort),
        ...env,
      },
      ready: `${healthUrl}/readyz`,
      restart: options.restart ?? false,
      onLine,
    })
    return Object.assign(supervised, { healthUrl })
  }
