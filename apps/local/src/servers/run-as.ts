import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type RunAs = { uid: number; gid: number }

const run = promisify(execFile)

// Prefers the user made for PostgreSQL; the others exist on nearly every system and own nothing.
const candidates = ['postgres', 'nobody', 'daemon']

/**
 * The user for PostgreSQL, which refuses to run as root; undefined if this process is not root. Existing data stays
 * with its owner.
 */
export async function unprivilegedUser(owner?: RunAs): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (owner && owner.uid !== 0) return owner
  for (const name of candidates) {
    const found = await lookUp(name)
    if (found && (await mayBecome(found))) return found
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and none of the users ${candidates.join(', ')} can be used instead ` +
      '(missing, or this container may not change users). Start as an ordinary user, or set DATABASE_URL.',
  )
}

async function lookUp(name: string): Promise<RunAs | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function mayBecome(user: RunAs): Promise<boolean> {
  return canRun('exit 0', [], user)
}

export async function canRun(script: string, args: string[], user: RunAs | undefined): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', script, ...args], { cwd: '/', ...user })
    return true
  } catch {
    return false
  }
}
