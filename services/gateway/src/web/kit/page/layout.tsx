import type { FastifyReply } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Form } from '../forms/form.tsx'
import { iconPath, stylesheetPath } from './stylesheet.ts'
import type { Visit } from '../visit/visit.ts'

export interface PageProps {
  readonly title: string
  /** Without one, the page has neither navigation nor a button to sign out. */
  readonly visit?: Visit
  /** For pages without a look-up: whether there may be a session that the links are for. */
  readonly mayBeSignedIn?: boolean
  readonly failed?: boolean
  readonly width?: 'wide' | 'widest'
  readonly stylesheets?: readonly string[]
  /** Paths of scripts, which the headers of the answer must allow. */
  readonly scripts?: readonly string[]
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

export const sendPage = (reply: FastifyReply, status: number, page: VNode): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>${renderToString(page)}`)

/** Redirects to a page by GET, whatever the method of this request was. */
export const goTo = (reply: FastifyReply, path: string): FastifyReply =>
  reply.removeHeader('content-type').header('content-length', 0).redirect(path, 303)

export function Page({
  title,
  visit,
  mayBeSignedIn,
  failed,
  width,
  stylesheets,
  scripts = [],
  aside,
  children,
}: PageProps) {
  const person = visit?.person
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${failed ? 'Error: ' : ''}${title} – svc`}</title>
        <link rel="icon" href={iconPath} type="image/svg+xml" />
        {[stylesheetPath, ...(stylesheets ?? [])].map(path => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        {scripts.map(path => (
          <script key={path} src={path} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="bar">
            <a class="brand" href="/">
              svc
            </a>
            {(person || mayBeSignedIn) && (
              <nav aria-label="Pages">
                <a href="/console">Console</a>
                <a href="/orders">Orders</a>
                <a href="/account">Account</a>
                <a href="/sessions">Sessions</a>
                <a href="/invitations">Invitations</a>
                <a href="/device">Connect a device</a>
              </nav>
            )}
          </div>
        </header>
        {aside ? (
          <div class="columns">
            {aside}
            <main id="main">{children}</main>
          </div>
        ) : (
          <main id="main" class={width}>
            {children}
          </main>
        )}
        {visit && !person && (
          <footer class="bottom">
            <a href="/docs">API documentation</a>
          </footer>
        )}
        {visit && person && (
          <footer class="bottom">
            <p>
              Signed in as <strong class="long">{person.email}</strong>
            </p>
            <a href="/docs">API documentation</a>
            <Form action="/sign-out" csrf={visit.csrf}>
              <button type="submit" class="quiet">
                Sign out
              </button>
            </Form>
          </footer>
        )}
      </body>
    </html>
  )
}
