// Text of a seller, of which web addresses alone become links.
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { LinkedText } from '../../../src/web/kit/ui/linked-text.tsx'

const rendered = (text: string) => renderToString(h(LinkedText, { text }))
const link = (href: string, text = href) => `<a href="${href}" rel="noopener noreferrer nofollow">${text}</a>`

test.each([
  ['nothing', 'nothing'],
  ['see https://a.example/x.', `see ${link('https://a.example/x')}.`],
  ['https://a.example/invoice_(4711)', link('https://a.example/invoice_(4711)')],
  ['(see https://a.example/a_(b).)', `(see ${link('https://a.example/a_(b)')}.)`],
  ['(https://a.example/((a)[b]))', `(${link('https://a.example/((a)[b])')})`],
  ['https://a.example/a)(b)', `${link('https://a.example/a)(b')})`],
  ['https://a.example/)))', `${link('https://a.example/')})))`],
  ['（https://a.example/x）。', `（${link('https://a.example/x')}）。`],
  ['نرم\u200cافزار', 'نرم\u200cافزار'],
  ['(http://a.example/)', `(${link('http://a.example/')})`],
  ['https://a.example/?a=1&b=2', link('https://a.example/?a=1&amp;b=2')],
  [
    'https://a.example and https://b.example',
    `${link('https://a.example/', 'https://a.example')} and ${link('https://b.example/', 'https://b.example')}`,
  ],
  ['<b>bold</b>', '&lt;b>bold&lt;/b>'],
  ['"><script>alert(1)</script>', '&quot;>&lt;script>alert(1)&lt;/script>'],
  [
    'javascript:alert(1) data:text/html,x ftp://a.example',
    'javascript:alert(1) data:text/html,x ftp://a.example',
  ],
  ['https://bank.example@evil.example/', 'https://bank.example@evil.example/'],
  ['https://bank.example:x@evil.example/', 'https://bank.example:x@evil.example/'],
  ['http://', 'http://'],
  // Letters of another script: the host is shown as it is looked up.
  ['https://bаnk.example/', link('https://xn--bnk-6cd.example/')],
  ['right\u202eleft', 'right left'],
  ['line\r\nline', 'line\nline'],
])('%j', (text, markup) => {
  expect(rendered(text).replaceAll('&gt;', '>')).toBe(markup)
})
