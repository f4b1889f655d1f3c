// A real browser for tests: Chromium from npm, without anything from outside.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

export interface TestBrowser {
  readonly browser: Browser
  /** Ends the browser and removes everything that it and its start have written. */
  close(): Promise<void>
}

/**
 * Unpacks Chromium into a directory of its own (some 200 MB, one to two seconds) and starts it, with the web's
 * security switched on. As many as wanted may run at once, as root or not; its own sandbox, which would need
 * privileges, is off: it sees only pages of ours.
 */
export async function startBrowser(): Promise<TestBrowser> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-browser-'))
  const clearUp = () => rm(dir, { recursive: true, force: true, maxRetries: 5 })
  try {
    const browser = await chromium.launch({
      executablePath: await unpack(dir),
      env: {
        ...process.env,
        TMPDIR: dir,
        HOME: dir,
        LD_LIBRARY_PATH: join(dir, 'al2023/lib'),
        FONTCONFIG_PATH: join(dir, 'fonts'),
      },
    })
    return {
      browser,
      async close() {
        await browser.close()
        await clearUp()
      },
    }
  } catch (error) {
    await clearUp()
    throw error
  }
}

/**
 * In a process of its own: the package decides by the environment at its import where it unpacks, and that its shared
 * libraries are needed, and changes the environment itself.
 */
async function unpack(dir: string): Promise<string> {
  const script = `
    import chromium from '@sparticuz/chromium'
    chromium.setGraphicsMode = false
    process.stdout.write(await chromium.executablePath())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, TMPDIR: dir, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  })
  return stdout
}
