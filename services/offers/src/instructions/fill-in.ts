/**
 * Fills the values of an install into its instructions, so that none becomes markup (docs/specification.md, R76). What is right
 * depends on the place, so the Markdown is parsed with a word in place of each placeholder.
 */
import { randomUUID } from 'node:crypto'
import { isSealed } from '@svc/contract/core/sealed-value'
import { type MarkdownToken, parseMarkdown } from '@svc/runtime/markdown'
import { LRUCache } from 'lru-cache'
import type { Install } from '../installs/read-installs.ts'
import { fieldPath, replacePlaceholders } from './placeholders.ts'

type Filled = Pick<Install, 'id' | 'field_values'>
type Place = 'text' | 'code' | 'link'

interface Template {
  readonly parts: readonly string[]
  /** Each between two parts. */
  readonly blanks: readonly { readonly name: string; readonly place: Place }[]
}

/** Parsing hostile Markdown takes some 50 ms. */
const templates = new LRUCache<string, Template>({ max: 200 })

export function fillIn(instructions: string, install: Filled): string {
  const { parts, blanks } = templates.get(instructions) ?? templateOf(instructions)
  return blanks.reduce((done, { name, place }, index) => {
    const next = parts[index + 1] ?? ''
    const value = shownValue(name, install)
    return (
      done + (value.isSaid && place !== 'link' ? value.text : written[place](value.text, done, next)) + next
    )
  }, parts[0] ?? '')
}

function templateOf(instructions: string): Template {
  // Letters and digits are text in every place.
  const word = `p${randomUUID().replaceAll('-', '')}z`
  const names: string[] = []
  const text = replacePlaceholders(instructions, name => `${word}${names.push(name) - 1}z`)
  const places =
    names.length > 0 ? findPlaces(text, new RegExp(`${word}(\\d+)z`, 'g')) : new Map<number, Place>()
  const template: Template = {
    parts: text.split(new RegExp(`${word}\\d+z`)),
    // In two kinds of places, or in none, it is written as in a link: nothing of that is markup.
    blanks: names.map((name, index) => ({ name, place: places.get(index) ?? 'link' })),
  }
  templates.set(instructions, template)
  return template
}

function findPlaces(text: string, word: RegExp): Map<number, Place> {
  const places = new Map<number, Place>()
  const note = (content: string, place: Place) => {
    for (const [, found] of content.matchAll(word)) {
      const index = Number(found)
      places.set(index, places.has(index) ? 'link' : place)
    }
  }
  const visit = ({ type, content, info, attrs, children }: MarkdownToken) => {
    if (type === 'text') note(content, 'text')
    if (type === 'code_inline' || type === 'code_block' || type === 'fence') note(content, 'code')
    for (const [, value] of attrs ?? []) note(String(value), 'link')
    note(info, 'link')
    children?.forEach(visit)
  }
  parseMarkdown(text).forEach(visit)
  return places
}

const entities: Readonly<Record<string, string>> = { '`': '&#96;', '<': '&lt;', '>': '&gt;' }

const written: Record<Place, (value: string, before: string, after: string) => string> = {
  text(value, before, after) {
    const escaped = value
      .replace(/[\\*_[\]()#|~&"']/g, '\\$&')
      // A backslash would not keep these from ending what the seller began.
      .replace(/[`<>]/g, sign => entities[sign] ?? sign)
      // At the start of a line these begin a list or underline a heading.
      .replace(/^[-+=.]/, '\\$&')
      .replace(/^(\d+)\./, '$1\\.')
    const isEscaped = (/\\*$/.exec(before)?.[0].length ?? 0) % 2 === 1
    const isNumbering = /^\d+$/.test(value) && /^[.)]/.test(after)
    return `${isEscaped ? '\\' : ''}${escaped}${isNumbering ? '\\' : ''}`
  },
  // A code span ends at backticks, and a block at a line that begins with its fence.
  code: value => value.replaceAll('`', "'").replaceAll('~~~', "'''"),
  // Host and port, or an address, stay what they are.
  link: value =>
    encodeURIComponent(value)
      .replace(/[!'()*~]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%3A', ':')
      .replaceAll('%40', '@'),
}

interface Value {
  readonly text: string
  /** By this service, and not by the customer. */
  readonly isSaid?: true
}

/** Shows no part of a field with a secret. */
function shownValue(name: string, { id, field_values }: Filled): Value {
  if (name === 'install.id') return said(id)
  if (name === 'credential') return said(`CREDENTIAL (svc installs create-credential ${id})`)
  let value: unknown = field_values
  for (const step of fieldPath(name) ?? []) {
    if (isSealed(value)) break
    value = Object.hasOwn(Object(value), step) ? (value as Record<string, unknown>)[step] : undefined
  }
  if (isSealed(value)) return said('••••••••')
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '')
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? said('–') : { text: line }
}

const said = (text: string): Value => ({ text, isSaid: true })
