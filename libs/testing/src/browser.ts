// A real browser for tests: the run has one, which files open contexts in.
import { type Browser, chromium } from 'playwright-core'
import { ofTheRun } from './run/ask.ts'

export interface TestBrowser {
  readonly browser: Browser
  /** Closes the contexts that were opened here. */
  close(): Promise<void>
}

/** Connects to the run's browser, which starts when the first file asks. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await chromium.connect(await ofTheRun<string>('browser'))
  return { browser, close: () => browser.close() }
}
