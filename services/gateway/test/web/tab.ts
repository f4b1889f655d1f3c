/** The part of Playwright's pages that a browser without scripts also has (text-browser.ts). */

export interface Answer {
  status(): number
  headers(): Record<string, string>
}

/** The part of Playwright's locators. */
export interface Found {
  count(): Promise<number>
  first(): Found
  innerText(): Promise<string>
  allInnerTexts(): Promise<string[]>
  getAttribute(name: string): Promise<string | null>
  inputValue(): Promise<string>
  fill(text: string): Promise<void>
  click(): Promise<void>
  waitFor(): Promise<void>
  getByRole(role: Role, options?: ByRole): Found
  locator(selector: string): Found
}

export type Role = 'heading' | 'link' | 'button' | 'alert' | 'status' | 'article' | 'contentinfo'
export interface ByRole {
  name?: string | RegExp
  exact?: boolean
  level?: number
}

export interface Tab {
  goto(address: string): Promise<Answer | null>
  reload(): Promise<Answer | null>
  url(): string
  title(): Promise<string>
  content(): Promise<string>
  getByRole(role: Role, options?: ByRole): Found
  getByLabel(text: string): Found
  locator(selector: string): Found
  waitForURL(wanted: string | RegExp): Promise<void>
  context(): Tabs
}

export interface Cookie {
  readonly name: string
  readonly value: string
  /** Unix seconds, or -1 when it ends with the browser. */
  readonly expires: number
}

export interface Tabs {
  newPage(): Promise<Tab>
  cookies(): Promise<readonly Cookie[]>
  addCookies(
    cookies: readonly { name: string; value: string; url: string; httpOnly: true; sameSite: 'Lax' }[],
  ): Promise<void>
  clearCookies(): Promise<void>
}
