// docs/specification.md, R76: Markdown of a seller becomes a few elements and links, whatever it holds.
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { MarkdownView } from '../../../src/web/kit/ui/markdown-view.tsx'

const rendered = (text: string) =>
  renderToString(h(MarkdownView, { text })).replace(/^<div class="instructions">|<\/div>$/g, '')
const rel = 'rel="noopener noreferrer nofollow"'

test.each([
  ['text', '<p>text</p>'],
  ['# A\n\n###### B', '<h3>A</h3><h3>B</h3>'],
  ['*a* **b** `c`', '<p><em>a</em> <strong>b</strong> <code>c</code></p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['a  \nb\n\n---', '<p>a<br/>b</p><hr/>'],
  ['[a](https://a.example/x?y=1&z)', `<p><a href="https://a.example/x?y=1&amp;z" ${rel}>a</a></p>`],
  ['<https://a.example>', `<p><a href="https://a.example/" ${rel}>https://a.example</a></p>`],
  ['[a](mailto:a@b.example)', `<p><a href="mailto:a@b.example" ${rel}>a</a></p>`],
  ['[a](https://a.example "title")', `<p><a href="https://a.example/" ${rel}>a</a></p>`],
  ['https://a.example www.a.example', '<p>https://a.example www.a.example</p>'],
  ['&lt;b&gt; \\*', '<p>&lt;b> *</p>'],
])('%j is rendered', (text, markup) => {
  expect(rendered(text)).toBe(markup)
})

test('a block of code has its text, and a button that copies it', () => {
  const markup = rendered('```sh" onclick="x\na "b" <c>\n\nd\n```')
  expect(markup).toContain('<pre>a &quot;b&quot; &lt;c>\n\nd</pre>')
  expect(markup).toContain('class="copy" data-copy="a &quot;b&quot; &lt;c>\n\nd" hidden')
  expect(markup).not.toContain('onclick')
})

test.each([
  ['<script>alert(1)</script>', '<p>&lt;script>alert(1)&lt;/script></p>'],
  ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)></p>'],
  ['<!-- a -->\n\n<div>', '<p>&lt;!-- a --></p><p>&lt;div></p>'],
  ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['[a](JaVaScRiPt:alert(1))', '<p>[a](JaVaScRiPt:alert(1))</p>'],
  ['[a](java&#10;script:alert(1))', '<p>a</p>'],
  ['[a](&#x6A;avascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['[javascript:x](javascript:x)', '<p>[javascript:x](javascript:x)</p>'],
  ['<javascript:alert(1)>', '<p>&lt;javascript:alert(1)></p>'],
  ['[a](data:image/png;base64,AAAA)', '<p>a</p>'],
  ['[a](ftp://a.example)', '<p>a</p>'],
  ['[a](/console)', '<p>a</p>'],
  ['[a](//evil.example)', '<p>a</p>'],
  ['[a](https://bank.example@evil.example)', '<p>a</p>'],
  ['![a](https://a.example/x.png)', `<p>!<a href="https://a.example/x.png" ${rel}>a</a></p>`],
  ['[a][b]\n\n[b]: https://a.example', '<p>[a][b]</p><p>[b]: https://a.example</p>'],
  ['a\u202eb', '<p>a b</p>'],
])('%j does no harm', (text, markup) => {
  expect(rendered(text)).toBe(markup)
})

const most = 20_000
const many = (part: string) => part.repeat(most / part.length)

describe('a text of 20,000 characters is rendered', () => {
  test.each(
    [
      '[',
      ']',
      '![',
      '[](',
      '*',
      '*a ',
      '_a',
      '**a*',
      '`',
      '` ``',
      '<',
      '<!--',
      '&',
      '>',
      '> ',
      '- ',
      '1. ',
      '\\',
      '~~~\n',
      'a\n=',
      '{{',
      '(',
      '[a](<',
      '#\n',
      '\t',
      '| a ',
    ].map(part => [part]),
  )('repeated %j', part => {
    expect(rendered(many(part)).length).toBeLessThan(40 * most)
  })

  test.each([
    ['asterisks that nest', '*a '.repeat(3333) + 'b*'.repeat(3333)],
    ['brackets that nest', '['.repeat(most / 2) + ']'.repeat(most / 2)],
    ['quotes in lists', '> - '.repeat(most / 4)],
    ['backticks of every length', Array.from({ length: 190 }, (_, at) => '`'.repeat(at + 1)).join(' ')],
  ])('%s', (_, text) => {
    expect(rendered(text).length).toBeLessThan(40 * most)
  })
})

test('no text makes any other element, attribute or address', () => {
  const parts = [
    '<',
    '>',
    '"',
    "'",
    '=',
    '[a](',
    ')',
    'javascript:',
    'https://a.example',
    '`',
    '```\n',
    '\n',
    '&#',
    '&lt;',
    ';',
    '*',
    '- ',
    '<a href="',
    'onclick=',
    ' ',
    'x',
  ]
  const allowed =
    /^(?:[^<]|<\/?(?:p|em|strong|ul|li|blockquote|h3|code|pre)>|<ol start="\d+">|<\/ol>|<[bh]r\/>|<a href="(?:https?:\/\/|mailto:)[^"<]*" rel="noopener noreferrer nofollow">|<\/a>|<div class="command-line">|<\/div>|<button type="button" class="copy" data-copy="[^"<]*" hidden><svg.*?<\/svg><span class="unseen">Copy<\/span><\/button>)*$/s
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), some => {
      expect(rendered(some.join(''))).toMatch(allowed)
    }),
    { numRuns: sized(500, 10_000) },
  )
})
