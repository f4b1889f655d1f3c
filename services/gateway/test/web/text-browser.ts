/**
 * A browser without layout and scripts, in the test's process: it follows links, fills in and submits forms, and keeps
 * cookies. A page costs a hundredth of what it costs in Chromium. It has a small part of Playwright's interface, so
 * that a test is the same for both.
 */
import { type Element, readMarkup } from './markup.ts'
import type { Answer, ByRole, Cookie, Found, Role, Tab, Tabs } from './tab.ts'

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

export class TextBrowser implements Tabs {
  readonly kept = new Map<string, Cookie>()
  newPage = async () => new TextTab(this)
  cookies = async () => [...this.kept.values()]
  clearCookies = async () => this.kept.clear()
  async addCookies(cookies: readonly { name: string; value: string }[]) {
    for (const { name, value } of cookies) this.kept.set(name, { name, value, expires: -1 })
  }

  take(line: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const [, age] = /; Max-Age=(\d+)/.exec(line) ?? []
    if (value === '' || age === '0') this.kept.delete(name)
    else this.kept.set(name, { name, value, expires: age ? Date.now() / 1000 + Number(age) : -1 })
  }
}

interface Asked {
  readonly address: URL
  readonly form?: URLSearchParams
}

export class TextTab implements Tab {
  private asked: Asked = { address: new URL('about:blank') }
  private markup = ''
  private page = readMarkup('')
  private readonly browser: TextBrowser

  constructor(browser: TextBrowser) {
    this.browser = browser
  }

  context = () => this.browser
  url = () => this.asked.address.href
  content = async () => this.markup
  title = async () =>
    [...this.page.all()]
      .find(({ tag }) => tag === 'title')
      ?.children.join('')
      .trim() ?? ''
  goto = (address: string) => this.load({ address: new URL(address) })
  /** Submits a form again, as a browser does after asking. */
  reload = () => this.load(this.asked)
  getByRole = (role: Role, options?: ByRole) => this.find(() => this.page).getByRole(role, options)
  locator = (selector: string) => this.find(() => this.page).locator(selector)

  getByLabel = (text: string) =>
    new TextFound(this, () => {
      const all = [...this.page.all()]
      const label = all.find(each => each.tag === 'label' && isNamed(each.innerText, { name: text }))
      const id = label?.getAttribute('for')
      return all.filter(each => id && each.getAttribute('id') === id)
    })

  async waitForURL(wanted: string | RegExp) {
    if (typeof wanted === 'string' ? this.url() !== wanted : !wanted.test(this.url()))
      throw new Error(`The page is ${this.url()}, not ${wanted}`)
  }

  /** Presses a button, and returns the answer. */
  async press(name: string | RegExp): Promise<Answer> {
    const [button] = this.find(() => this.page)
      .getByRole('button', { name, exact: true })
      .elements()
    if (!button) throw new Error(`${name}: there is no such button at ${this.url()}\n${this.page.innerText}`)
    return this.send(button)
  }

  /** Does what the form's script does: the values are in a hidden field, and the button is enabled. */
  putValues(values: object | undefined) {
    for (const each of this.page.all()) {
      if (each.tag === 'button') each.attributes.delete('disabled')
      if (values && each.getAttribute('name') === 'field_values')
        each.setAttribute('value', JSON.stringify(values))
    }
  }

  async follow(link: Element): Promise<Answer> {
    return this.load({ address: new URL(link.getAttribute('href') ?? '', this.asked.address) })
  }

  async send(button: Element): Promise<Answer> {
    const form = button.within('form')
    if (!form || button.attributes.has('disabled')) throw new Error('The button sends no form')
    const fields = new URLSearchParams()
    for (const each of form.all()) {
      const name = each.getAttribute('name')
      if (!name || each.attributes.has('disabled') || !isSent(each, button)) continue
      fields.append(name, valueIn(each))
    }
    const address = new URL(form.getAttribute('action') || this.url(), this.asked.address)
    if (form.getAttribute('method')?.toLowerCase() === 'post') return this.load({ address, form: fields })
    address.search = String(fields)
    return this.load({ address })
  }

  /** The element with the id. */
  byId = (id: string) => [...this.page.all()].find(each => each.getAttribute('id') === id)

  private find = (from: () => Element) => new TextFound(this, () => [from()])

  private async load(asked: Asked): Promise<Answer> {
    const { address, form } = asked
    const { kept } = this.browser
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      body: form,
      headers: {
        accept: 'text/html,*/*;q=0.8',
        'user-agent': userAgent,
        ...(kept.size && {
          cookie: [...kept.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
        }),
        ...(form && { origin: this.asked.address.origin, 'sec-fetch-site': 'same-origin' }),
      },
    })
    for (const line of response.headers.getSetCookie()) this.browser.take(line)
    const location = response.headers.get('location')
    this.markup = await response.text()
    if (location) return this.load({ address: new URL(location, address) })
    this.asked = asked
    this.page = readMarkup(this.markup)
    return { status: () => response.status, headers: () => Object.fromEntries(response.headers) }
  }
}

const valueIn = (each: Element) =>
  (each.tag === 'select' ? chosen(each) : each).getAttribute('value') ??
  (each.tag === 'textarea' ? each.children.join('').replace(/^\n/, '') : isBox(each) ? 'on' : '')

const isBox = ({ attributes }: Element): boolean => /^(checkbox|radio)$/.test(attributes.get('type') ?? '')

function chosen(select: Element): Element {
  const options = [...select.all()].filter(({ tag }) => tag === 'option')
  const option = options.find(({ attributes }) => attributes.has('selected')) ?? options[0]
  if (!option) throw new Error('There is nothing to choose')
  return option
}

function isSent(each: Element, button: Element): boolean {
  const { tag, attributes } = each
  if (tag === 'button') return attributes === button.attributes
  if (tag === 'select') return true
  if (tag === 'textarea') return true
  if (tag !== 'input') throw new Error(`Forms with <${tag}> are for Chromium`)
  return !isBox(each) || attributes.has('checked')
}

export class TextFound implements Found {
  private readonly tab: TextTab
  readonly elements: () => Element[]

  constructor(tab: TextTab, elements: () => Element[]) {
    this.tab = tab
    this.elements = elements
  }

  private one(): Element {
    const [element, another] = this.elements()
    if (!element || another)
      throw new Error(`${element ? 'Several' : 'None'} of what is looked for at ${this.tab.url()}`)
    return element
  }

  count = async () => this.elements().length
  first = () => new TextFound(this.tab, () => this.elements().slice(0, 1))
  innerText = async () => this.one().innerText
  allInnerTexts = async () => this.elements().map(({ innerText }) => innerText)
  getAttribute = async (name: string) => this.one().getAttribute(name)
  inputValue = async () => valueIn(this.one())
  fill = async (text: string) => this.one().setAttribute('value', text)

  async waitFor() {
    this.one()
  }

  async click() {
    const element = this.one()
    await (element.tag === 'a' ? this.tab.follow(element) : this.tab.send(element))
  }

  getByRole = (role: Role, options: ByRole = {}) =>
    new TextFound(this.tab, () =>
      this.below(each => roleOf(each) === role).filter(
        each =>
          (options.level === undefined || each.tag === `h${options.level}`) &&
          isNamed(this.nameOf(each), options),
      ),
    )

  /** By tags below tags: `main :is(button, a)`, `input[name=id]`. */
  locator = (selector: string) =>
    new TextFound(this.tab, () =>
      (selector.match(/(?:\([^)]*\)|\S)+/g) ?? [])
        .reduce((found: TextFound, part) => new TextFound(this.tab, () => found.below(matches(part))), this)
        .elements(),
    )

  private below = (wanted: (element: Element) => boolean) =>
    this.elements().flatMap(element => [...element.all()].filter(wanted))

  private nameOf(element: Element): string {
    const label = element.getAttribute('aria-labelledby')
    return element.getAttribute('aria-label') ?? (label ? this.tab.byId(label) : element)?.innerText ?? ''
  }
}

function matches(part: string): (element: Element) => boolean {
  const [, tag, tags = tag, name, value] =
    /^(?:(\w+)|:is\(([^)]*)\))(?:\[([\w-]+)="?([^"\]]*)"?\])?$/.exec(part) ?? []
  if (!tags) throw new Error(`${part} is for Chromium`)
  const wanted = tags.split(', ')
  return element => wanted.includes(element.tag) && (!name || element.getAttribute(name) === value)
}

function roleOf({ tag, attributes }: Element): string | undefined {
  const role = attributes.get('role')
  if (role) return role
  if (/^h[1-6]$/.test(tag)) return 'heading'
  if (tag === 'a') return attributes.has('href') ? 'link' : undefined
  return { button: 'button', article: 'article', footer: 'contentinfo' }[tag]
}

function isNamed(text: string, { name, exact }: ByRole): boolean {
  if (name === undefined) return true
  if (typeof name !== 'string') return name.test(text)
  const said = text.replace(/\s+/g, ' ').trim()
  return exact ? said === name : said.toLowerCase().includes(name.toLowerCase())
}
