/** Where results go. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'

export interface Results {
  /** Writes one file of the run; returns its path. */
  write(extension: string, content: string): Promise<string>
}

/** Files of one run have its name and the time at which it began. */
export async function openResults(out: string | undefined, name: string): Promise<Results> {
  const folder = out === undefined ? join(repoRoot, 'apps/bench/results') : resolve(out)
  await mkdir(folder, { recursive: true })
  const began = new Date().toISOString().replace(/\..*/, '').replaceAll(':', '').replace('T', '-')
  return {
    async write(extension, content) {
      const path = join(folder, `${name}-${began}.${extension}`)
      await writeFile(path, content)
      return path
    },
  }
}
