/**
 * A mail as HTML. Light colours are in each element, as many mail programs read nothing else; those that know
 * `prefers-color-scheme` replace them. It loads nothing and fits its window.
 */
import type { ComponentChildren, CSSProperties } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { dark, light } from './colors.ts'
import type { MailParts } from './mail-parts.ts'

export const mailHtml = (mail: MailParts): string => `<!doctype html>${renderToString(<Mail {...mail} />)}`

type Color = keyof typeof light

const darkRules = (Object.keys(light) as Color[])
  .flatMap(color => [
    `.ink-${color}{color:${dark[color]}!important}`,
    `.fill-${color}{background-color:${dark[color]}!important;border-color:${dark.line}!important}`,
  ])
  .join('')
const stylesheet = `@media (prefers-color-scheme:dark){${darkRules}}`

const font = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'

interface PaintProps {
  readonly as: 'body' | 'div' | 'h1' | 'p' | 'dt' | 'dd' | 'a' | 'blockquote' | 'li' | 'main' | 'footer'
  readonly ink?: Color
  readonly fill?: Color
  readonly style?: CSSProperties
  readonly href?: string
  readonly children: ComponentChildren
}

function Paint({ as: Element, ink, fill, style, children, ...rest }: PaintProps) {
  const names = [ink && `ink-${ink}`, fill && `fill-${fill}`].filter(Boolean).join(' ')
  const colors = { ...(ink && { color: light[ink] }), ...(fill && { backgroundColor: light[fill] }) }
  return (
    <Element {...rest} class={names} style={{ margin: 0, ...colors, ...style }}>
      {children}
    </Element>
  )
}

function Mail({ title, paragraphs, rows, quote, items, action, after = [], ...foot }: MailParts) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{stylesheet}</style>
      </head>
      <Paint
        as="body"
        fill="ground"
        style={{ padding: '24px 12px', fontFamily: font, fontSize: 16, lineHeight: 1.5 }}
      >
        <Paint
          as="main"
          fill="surface"
          style={{
            maxWidth: 560,
            margin: '0 auto',
            padding: 24,
            border: `1px solid ${light.line}`,
            borderRadius: 10,
            ...long,
          }}
        >
          <Paint as="p" ink="muted" style={{ fontWeight: 700 }}>
            svc
          </Paint>
          <Paint as="h1" ink="text" style={{ fontSize: 22, lineHeight: 1.25, margin: '12px 0 16px' }}>
            {title}
          </Paint>
          {paragraphs.map(text => (
            <Paint key={text} as="p" ink="text" style={{ margin: '0 0 12px' }}>
              {text}
            </Paint>
          ))}
          {quote && <Quote {...quote} />}
          {rows.length > 0 && <Rows rows={rows} />}
          {items.length > 0 && <Items items={items} />}
          {action && <Button {...action} />}
          {after.map(text => (
            <Paint key={text} as="p" ink="muted" style={{ margin: '16px 0 0' }}>
              {text}
            </Paint>
          ))}
        </Paint>
        <Foot {...foot} />
      </Paint>
    </html>
  )
}

const long = { overflowWrap: 'anywhere' } as const

function Rows({ rows }: Pick<MailParts, 'rows'>) {
  return (
    <dl style={{ margin: '16px 0 0' }}>
      {rows.map(([label, value]) => (
        <Paint key={label} as="div" style={{ margin: '0 0 8px' }}>
          <Paint as="dt" ink="muted" style={{ fontSize: 14 }}>
            {label}
          </Paint>
          <Paint as="dd" ink="text" style={long}>
            {value}
          </Paint>
        </Paint>
      ))}
    </dl>
  )
}

function Quote({ by, text }: NonNullable<MailParts['quote']>) {
  return (
    <Paint
      as="blockquote"
      fill="ground"
      style={{ margin: '0 0 12px', padding: '12px 16px', borderRadius: 8 }}
    >
      <Paint as="p" ink="muted" style={{ fontSize: 14 }}>
        {by}
      </Paint>
      <Paint as="p" ink="text" style={{ ...long, whiteSpace: 'pre-line' }}>
        {text}
      </Paint>
    </Paint>
  )
}

function Items({ items }: Pick<MailParts, 'items'>) {
  return (
    <ul style={{ margin: '12px 0 0', paddingLeft: 20 }}>
      {items.map(({ text, url }) => (
        <Paint key={`${url} ${text}`} as="li" ink="text" style={{ ...long, margin: '0 0 6px' }}>
          <Paint as="a" href={url} ink="accent">
            {text}
          </Paint>
        </Paint>
      ))}
    </ul>
  )
}

function Button({ label, url }: NonNullable<MailParts['action']>) {
  return (
    <Paint as="p" style={{ margin: '20px 0 0' }}>
      <Paint
        as="a"
        href={url}
        ink="on-accent"
        fill="accent"
        style={{
          display: 'inline-block',
          padding: '10px 18px',
          borderRadius: 8,
          fontWeight: 600,
          textDecoration: 'none',
        }}
      >
        {label}
      </Paint>
    </Paint>
  )
}

function Foot({ why, unsubscribe, preferences }: Pick<MailParts, 'why' | 'unsubscribe' | 'preferences'>) {
  if (!why) return null
  return (
    <Paint as="footer" style={{ maxWidth: 560, margin: '16px auto 0', fontSize: 13, textAlign: 'center' }}>
      <Paint as="p" ink="muted">
        {why}{' '}
        {unsubscribe && (
          <Paint as="a" href={unsubscribe} ink="accent">
            Stop emails of this kind
          </Paint>
        )}
        {preferences && ' · '}
        {preferences && (
          <Paint as="a" href={preferences} ink="accent">
            Choose what you get
          </Paint>
        )}
      </Paint>
    </Paint>
  )
}
