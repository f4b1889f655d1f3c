// docs/specification.md, R76: a value that is filled into instructions stays text, whatever it is and wherever it stands.
import { parseMarkdown } from '@svc/runtime/markdown'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillIn } from '../../src/instructions/fill-in.ts'
import { withoutValues } from '../../src/instructions/without-values.ts'

const id = 'inst_01h455vb4pex5vsknk084sn02q'
const filled = (instructions: string, field_values: Record<string, unknown> = {}) =>
  fillIn(instructions, { id, field_values })

test.each<[string, Record<string, unknown>, string]>([
  ['Open {{ field.host }}.', { host: 'db.example' }, 'Open db.example.'],
  ['{{field.a.b}} and {{  field.a.c  }}', { a: { b: 1, c: true } }, '1 and true'],
  ['`{{ field.list }}`', { list: ['a', 'b'] }, '`["a","b"]`'],
  ['{{ install.id }}', {}, id],
  ['{{ field.a }}{{ field.b }}', { a: 'x', b: 'y' }, 'xy'],
  ['{{ field.none }} {{ field.none.at.all }} {{ field.blank }}', { blank: ' ' }, '– – –'],
  ['{{ field.toString }} {{ field.__proto__ }}', {}, '– –'],
  ['{{ field.a }}', { a: '{{ install.id }} {{ field.b }}', b: 'b' }, '{{ install.id }} {{ field.b }}'],
  ['{{ credential }}', {}, `CREDENTIAL (svc installs create-credential ${id})`],
  ['{{ field.a }}', { a: '*b* <script> `c`' }, '\\*b\\* &lt;script&gt; &#96;c&#96;'],
  ['`{{ field.a }}`', { a: '*b* `c`\n<script>' }, "`*b* 'c' <script>`"],
  ['[x](https://{{ field.a }}/?q={{ field.b }})', { a: 'h:80', b: 'a&b)' }, '[x](https://h:80/?q=a%26b%29)'],
  ['no placeholder, {{ not closed', {}, 'no placeholder, {{ not closed'],
])('%j with %j', (instructions, values, expected) => {
  expect(filled(instructions, values)).toBe(expected)
})

test.each(['{{ field.key }}', '`{{ field.key.inner }}`', '[x](https://a.example/{{ field.key }})'])(
  'a secret value is shown as dots: %s',
  instructions => {
    const text = filled(instructions, { key: { $sealed: 'v1.secret' } })
    expect(decodeURIComponent(text)).toContain('••••••••')
    expect(text).not.toContain('secret')
  },
)

test('a mail names the values in place of them, and ends after 2,000 characters', () => {
  expect(withoutValues('Open {{ field.db.host }}, `{{install.id}}`.')).toBe('Open <db.host>, `<install.id>`.')
  expect(withoutValues('x'.repeat(2001))).toBe(`${'x'.repeat(2000)} …`)
})

interface Shape {
  readonly type: string
  readonly text?: string
  readonly href?: string
}

/** Markup and texts, of which those next to each other are one. */
function shapeOf(markdown: string): Shape[] {
  const shapes: Shape[] = []
  const visit = (tokens: ReturnType<typeof parseMarkdown>) => {
    for (const { type, content, attrs, children } of tokens) {
      const isText = type === 'text' || type === 'text_special'
      const last = shapes.at(-1)
      if (isText && last?.type === 'text') {
        shapes[shapes.length - 1] = { type: 'text', text: last.text + content }
      } else if (type !== 'inline' && !(isText && content === '')) {
        const href = Object.fromEntries(attrs ?? []).href
        shapes.push({ type: isText ? 'text' : type, text: content, ...(href && { href: String(href) }) })
      }
      visit(children ?? [])
    }
  }
  visit(parseMarkdown(markdown))
  return shapes
}

const templates = [
  'X',
  'a X b',
  'XX',
  'X. b',
  'X) b',
  '1X',
  'X\n===',
  'a\nX',
  'a\n\nX\n\nb',
  '# X',
  '- X\n- X',
  '> X',
  '1. X',
  '    X\n    a',
  '`X`',
  '`` X ``',
  'a `X',
  'a\\X',
  'a\\\\X',
  '```\nX\n```',
  '- a\n\n  ~~~\n  X\n  ~~~',
  '[X](https://a.example)',
  '[a](https://X/)',
  '[a](https://a.example/X "X")',
  '[a](https://a.example/X',
  '[a](<https://a.example/X',
  '[a]X',
  '[aX',
  '<https://a.example/X>',
  '<https://a.exampleX',
  '&X;',
  '**a X** *X*',
]
const signs = ['*', '_', '`', '~', '[', ']', '(', ')', '<', '>', '#', '-', '+', '=', '.', '!', '|', '&', '"']
const value = fc.oneof(
  fc
    .array(
      fc.constantFrom(...signs, '\\', ':', '/', ' ', '\n', '1', 'a', 'é', '```', '~~~', 'https://e.example'),
      {
        maxLength: 12,
      },
    )
    .map(parts => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

describe('the markup is the same as with a word', () => {
  test.each(templates)('%j', template => {
    const instructions = template.replaceAll('X', '{{ field.x }}')
    const markupOf = (x: string) => shapeOf(filled(instructions, { x }))
    const plain = markupOf('word').map(({ type }) => type)
    fc.assert(
      fc.property(value, x => {
        expect(markupOf(x).map(({ type }) => type)).toEqual(plain)
      }),
      { numRuns: sized(100, 2000) },
    )
  })

  test('a value in a text is read as it was given', () => {
    fc.assert(
      fc.property(value, x => {
        const line = x.replace(/\s+/g, ' ').trim() || '–'
        const [, text] = shapeOf(filled('{{ field.x }}', { x }))
        expect(text?.text).toBe(line)
      }),
    )
  })
})
