// The run's browser: Chromium from npm, without anything from outside.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { configureFonts } from './fonts.ts'

export interface RunBrowser {
  /** What playwright's `connect` takes. */
  readonly endpoint: string
  close(): Promise<void>
}

/**
 * Starts Chromium in that folder, where everything lies that it writes, with the web's security switched on. As root or
 * not: its own sandbox, which would need privileges, is off, as it sees only pages of ours.
 *
 * @param endsBySignal whether a signal that ends this process closes the browser and exits at once
 */
export async function startChromium(
  folder: string,
  executablePath: string,
  endsBySignal = true,
): Promise<RunBrowser> {
  await mkdir(folder, { recursive: true })
  const program = join(executablePath, '..')
  const server = await chromium.launchServer({
    executablePath,
    // On a busy machine the process that draws by SwiftShader may stop, and with it every page that waits for a frame.
    // A process beyond those in use is not kept ready: most would end unused.
    args: ['--disable-gpu', '--disable-software-rasterizer', '--renderer-process-limit=1'],
    handleSIGINT: endsBySignal,
    handleSIGTERM: endsBySignal,
    handleSIGHUP: endsBySignal,
    env: {
      ...process.env,
      TMPDIR: folder,
      HOME: folder,
      LD_LIBRARY_PATH: join(program, 'al2023/lib'),
      FONTCONFIG_PATH: join(program, 'fonts'),
    },
  })
  return { endpoint: server.wsEndpoint(), close: () => server.close() }
}

/**
 * Unpacks Chromium into that folder: some 200 MB, one to two seconds.
 *
 * In a process of its own: the package decides by the environment at its import where it unpacks, and that its shared
 * libraries are needed, and changes the environment itself.
 *
 * @returns the path of the program
 * @throws Error when there is no font for it
 */
export async function unpackChromium(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const script = `
    import chromium from '@sparticuz/chromium'
    chromium.setGraphicsMode = false
    process.stdout.write(await chromium.executablePath())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../../chromium/', import.meta.url)),
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  })
  await configureFonts(join(folder, 'fonts'))
  return stdout
}
