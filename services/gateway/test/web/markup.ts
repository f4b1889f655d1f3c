/** Parses the markup of our pages. A renderer writes it, so every element is closed and every attribute quoted. */

export class Element {
  readonly children: (Element | string)[] = []
  readonly tag: string
  readonly attributes: Map<string, string>
  readonly parent: Element | undefined

  constructor(tag: string, attributes: Map<string, string>, parent?: Element) {
    this.tag = tag
    this.attributes = attributes
    this.parent = parent
  }

  getAttribute = (name: string): string | null => this.attributes.get(name) ?? null

  setAttribute(name: string, value: string) {
    this.attributes.set(name, value)
  }

  get elements(): Element[] {
    return this.children.filter(child => child instanceof Element)
  }

  /** All descendants, in order. */
  *all(): Generator<Element> {
    for (const child of this.elements) {
      yield child
      yield* child.all()
    }
  }

  within(tag: string): Element | undefined {
    return this.tag === tag ? this : this.parent?.within(tag)
  }

  /** As displayed: without what is hidden, a line per block. */
  get innerText(): string {
    const lines = this.flow()
      .replace(/[ \t]+/g, ' ')
      .split('\n')
    return lines
      .map(line => line.trim())
      .filter(line => line !== '')
      .join('\n')
  }

  private flow(): string {
    if (this.attributes.has('hidden') || unseen.has(this.tag)) return ''
    const text = this.children
      .map(child => (typeof child === 'string' ? child.replace(/\s+/g, ' ') : child.flow()))
      .join('')
    return inline.has(this.tag) ? text : `\n${text}\n`
  }
}

const unseen = new Set(['head', 'title', 'script', 'style', 'template', 'datalist'])
const inline = new Set(
  'a abbr b button code em i input kbd label output select small span strong sub sup time'.split(' '),
)
const empty = new Set('area base br col embed hr img input link meta source wbr'.split(' '))

export function readMarkup(text: string): Element {
  const root = new Element('#document', new Map())
  let open = root
  const part = /<!--.*?-->|<![^>]*>|<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^">])*)>|([^<]+)/gis
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [, closing, name = '', rest = '', words] = found
    if (words) open.children.push(decode(words))
    if (!name) continue
    const tag = name.toLowerCase()
    if (closing) {
      if (open.tag !== tag) throw new Error(`</${tag}> closes <${open.tag}>`)
      open = open.parent ?? root
      continue
    }
    const element = new Element(tag, attributesIn(rest), open)
    open.children.push(element)
    if (empty.has(tag) || rest.endsWith('/')) continue
    if (tag === 'script' || tag === 'style') part.lastIndex = text.indexOf(`</${tag}`, part.lastIndex)
    open = element
  }
  if (open !== root) throw new Error(`<${open.tag}> is not closed`)
  return root
}

const attributesIn = (text: string) =>
  new Map(
    [...text.matchAll(/([^\s"=/]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      decode(value),
    ]),
  )

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const decode = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
