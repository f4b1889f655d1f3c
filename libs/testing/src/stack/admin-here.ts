import { admin } from '@svc/local/admin'
import type { AdminEnded } from './admin-process.ts'

/** What `npm run admin` does, in this process: for all that is not about the process, which takes its time to start. */
export const createAdminHere =
  (env: Record<string, string>) =>
  async (args: string[], input = ''): Promise<AdminEnded> => {
    let out = ''
    let err = ''
    const code = await admin(args, {
      env,
      readInput: async () => input,
      out: text => {
        out += text
      },
      err: text => {
        err += text
      },
    })
    return { code, out, err }
  }
