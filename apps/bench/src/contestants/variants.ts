/** The list of peers, apps/bench/peers/variants.json, read and checked. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { z } from 'zod'
import { type Workload, workloadNames } from '../load/workloads.ts'

export const peersFolder = join(repoRoot, 'apps/bench/peers')

const name = z.string().regex(/^[a-z0-9-]+$/, 'must be of small letters, digits and -')

const peer = z.strictObject({
  name,
  label: z.string().min(1),
  workloads: z.array(z.enum(workloadNames as [Workload, ...Workload[]])).min(1),
  uses_nats: z.boolean(),
  /** A floor does not do the work, so its behaviour is not verified. */
  floor: z.boolean().default(false),
  /** In the order in which they are started. */
  processes: z
    .array(
      z.strictObject({
        name,
        script: z.string().min(1),
        env: z.record(z.string(), z.string()).default({}),
      }),
    )
    .min(1),
})
export type Peer = z.output<typeof peer>

/** @throws Error that names the file, if it is missing or invalid */
export async function readPeers(folder: string): Promise<Peer[]> {
  const path = join(folder, 'variants.json')
  if (!existsSync(path)) throw new Error(`There is no ${path}: --peers names a folder that has one.`)
  try {
    return z.array(peer).parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    throw new Error(`${path} is not a list of variants:\n${problem}`)
  }
}
