import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { serviceConfig } from '@svc/runtime/config'
import type { z } from 'zod'

/** What a process reads from its environment: what its `config.ts` exports, or what every service reads. */
export async function configOf(process: string): Promise<z.ZodRawShape> {
  const file = join(repoRoot, 'services', process, 'dist/config.js')
  if (!existsSync(file)) return serviceConfig
  const [config] = Object.values((await import(file)) as Record<string, z.ZodRawShape>)
  if (!config) throw new Error(`${file} exports nothing.`)
  return config
}
