/** Prometheus' own tool, with which the tests check and try what it is to be given. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `PROMTOOL`, or `promtool` on PATH; undefined where there is none, which has been said then. */
export const promtool = findPromtool(process.env)
if (!promtool) {
  process.stderr.write(
    'There is no promtool: alerts are checked, and not tried. Install it (Debian: "apt-get install prometheus"), ' +
      'or name it in PROMTOOL.\n',
  )
}

function findPromtool({ PROMTOOL, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (PROMTOOL) return PROMTOOL
  return PATH.split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => join(folder, 'promtool'))
    .find(file => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** All that it printed, and whether it was content. */
export function runPromtool(...args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise(resolve => {
    execFile(promtool ?? '', args, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    )
  })
}
