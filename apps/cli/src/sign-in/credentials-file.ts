/**
 * What `svc login` stores: one file per base URL, so that concurrent logins at several do not overwrite each
 * other. Only its owner can read it, and readers see the old or the new content, never half of it.
 */
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { exitCodes, Failure } from '../failure.ts'
import type { Surroundings } from '../surroundings.ts'

export interface Kept {
  readonly base_url: string
  readonly session_token: string
  readonly signed_in_at: number
  readonly workspace?: { readonly id: string; readonly name: string }
}

export interface CredentialsFile {
  /** Undefined: not signed in there. */
  read(baseUrl: string): Promise<Kept | undefined>
  write(kept: Kept): Promise<void>
  remove(baseUrl: string): Promise<void>
  readDefault(): Promise<string | undefined>
  writeDefault(baseUrl: string): Promise<void>
  pathOf(baseUrl: string): string
}

export function credentialsFile({ env, stderr }: Pick<Surroundings, 'env' | 'stderr'>): CredentialsFile {
  const folder = configFolder(env)
  const pathOf = (baseUrl: string) => join(folder, `${encodeURIComponent(baseUrl)}.json`)
  const defaultPath = join(folder, 'config.json')
  return {
    pathOf,
    async read(baseUrl) {
      const path = pathOf(baseUrl)
      const kept = (await readJson(path)) as Kept | undefined
      if (typeof kept?.session_token !== 'string') return undefined
      const problem = await narrow(path)
      if (problem) stderr.write(`svc: ${problem}\n`)
      return kept
    },
    write: kept => writePrivate(folder, pathOf(kept.base_url), kept),
    async remove(baseUrl) {
      const path = pathOf(baseUrl)
      await rm(path, { force: true }).catch(error => {
        throw broken(path, `cannot be removed (${codeOf(error)}).`)
      })
    },
    async readDefault() {
      const config = (await readJson(defaultPath)) as { base_url?: unknown } | undefined
      return typeof config?.base_url === 'string' ? config.base_url : undefined
    },
    writeDefault: base_url => writePrivate(folder, defaultPath, { base_url }),
  }
}

/** XDG Base Directory Specification: a relative path must be ignored. */
function configFolder({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  const home =
    XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config')
  return join(home, 'svc')
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (error instanceof SyntaxError) throw broken(path, 'is not JSON. Remove it and sign in again.')
    throw broken(path, `cannot be read (${codeOf(error)}).`)
  }
}

/**
 * A copy or a restored backup may have other modes. A read-only file, in a container or on a read-only mount, is
 * used anyway.
 *
 * @returns a warning if others can still read it
 */
async function narrow(path: string): Promise<string | undefined> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return undefined
  return chmod(path, 0o600).then(
    () => undefined,
    error =>
      `${path} can be read by others (mode ${(mode & 0o777).toString(8)}), and svc may not change that (${codeOf(error)}): chmod 600 it as its owner.`,
  )
}

async function writePrivate(folder: string, path: string, content: object): Promise<void> {
  const draft = join(folder, `.${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw broken(path, `cannot be written (${codeOf(error)}).`)
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

const broken = (path: string, what: string) => new Failure(exitCodes.failed, `${path} ${what}`)
