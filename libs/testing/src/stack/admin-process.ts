import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'

export type AdminEnded = {
  code: number | null
  out: string
  err: string
}

/** Runs `npm run admin` as a process of its own, with nothing in its environment of where a bus is but `env`. */
export const createAdmin =
  (env: Record<string, string>) =>
  (args: string[], input = ''): Promise<AdminEnded> => {
    const { NATS_URL, NATS_USER, NATS_PASSWORD, SVC_DATA_DIR, ...rest } = process.env
    const child = spawn(process.execPath, [join(repoRoot, 'apps/local/dist/admin-main.js'), ...args], {
      env: { ...rest, ...env },
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk
    })
    // One that does not read its input closes it.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', code => resolve({ code, out, err }))
    })
  }
