import type { ComponentChildren } from 'preact'
import {
  consoleScriptPath,
  consoleStylesheetPath,
  iconPath,
  stylesheetPath,
} from '../../kit/page/stylesheet.ts'
import { Form } from '../../kit/forms/form.tsx'
import { Icon } from '../../kit/ui/icon.tsx'
import { type Part, type PartPath, parts } from './navigation.ts'
import { Notice } from './notices.tsx'
import type { Scene } from './scene.ts'

export interface Crumb {
  readonly label: string
  readonly path: string
}

interface ConsolePageProps {
  readonly scene: Scene
  readonly title: string
  readonly part?: PartPath
  readonly crumbs?: readonly Crumb[]
  readonly failed?: boolean
  readonly searched?: string
  readonly scripts?: readonly string[]
  readonly children: ComponentChildren
}

export function ConsolePage(props: ConsolePageProps) {
  const { scene, title, part, crumbs = [], failed, searched, scripts = [], children } = props
  const { workspace, root, visit } = scene
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${failed ? 'Error: ' : ''}${title} – ${workspace.name} – svc`}</title>
        <link rel="icon" href={iconPath} type="image/svg+xml" />
        <link rel="stylesheet" href={stylesheetPath} />
        <link rel="stylesheet" href={consoleStylesheetPath} />
        {[consoleScriptPath, ...scripts].map(path => (
          <script key={path} src={path} defer />
        ))}
      </head>
      <body class="console">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="shell-top">
          <details class="menu navigation-menu">
            <summary>
              <Icon name="menu" />
              <span class="unseen">Navigation</span>
            </summary>
            <div class="menu-body">
              <Navigation scene={scene} part={part} label="Pages of the workspace, as a menu" />
            </div>
          </details>
          <a class="brand" href={root}>
            svc
          </a>
          <WorkspaceMenu scene={scene} />
          <search class="search">
            <form action={`${root}/search`} method="get">
              <label for="search" class="unseen">
                Search
              </label>
              <Icon name="search" />
              <input
                id="search"
                name="q"
                type="search"
                value={searched}
                maxLength={200}
                placeholder="Search"
                aria-keyshortcuts="/ Control+K Meta+K"
                autocomplete="off"
                spellcheck={false}
              />
              <span class="key" aria-hidden="true" hidden>
                /
              </span>
            </form>
          </search>
          <AccountMenu scene={scene} />
        </header>
        <div class="shell">
          <div class="shell-side">
            <Navigation scene={scene} part={part} label="Pages of the workspace" />
          </div>
          <main id="main">
            {crumbs.length > 0 && (
              <nav class="crumbs" aria-label="Breadcrumb">
                <ol>
                  {crumbs.map(({ label, path }) => (
                    <li key={path}>
                      <a class="long" href={root + path}>
                        {label}
                      </a>
                    </li>
                  ))}
                  <li class="long" aria-current="page">
                    {title}
                  </li>
                </ol>
              </nav>
            )}
            <Notice scene={scene} />
            {children}
          </main>
        </div>
        {!visit.person?.verified && <Unverified />}
      </body>
    </html>
  )
}

const Unverified = () => (
  <footer class="bottom">
    <p>
      Verify your email address to invite people and accept invitations.{' '}
      <a href="/forgot-password">Send verification email</a>
    </p>
  </footer>
)

interface NavigationProps {
  readonly scene: Scene
  readonly part: PartPath | undefined
  readonly label: string
}

const Navigation = ({ scene, part, label }: NavigationProps) => (
  <nav class="navigation" aria-label={label}>
    {parts.map((group: readonly Part[], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      <ul key={at}>
        {group
          .filter(({ needs }) => !needs || scene.may(needs))
          .map(({ path, label, icon }) => (
            <li key={path}>
              <a href={scene.root + path} aria-current={path === part ? 'page' : undefined}>
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
      </ul>
    ))}
  </nav>
)

const WorkspaceMenu = ({ scene: { workspace, workspaces } }: { readonly scene: Scene }) => (
  <details class="menu workspace-menu">
    <summary>
      <span class="unseen">Workspace: </span>
      <span class="cut">{workspace.name}</span>
      <Icon name="chevron" />
    </summary>
    <div class="menu-body">
      <ul>
        {workspaces.map(({ id, name }) => (
          <li key={id}>
            <a class="long" href={`/console/${id}`} aria-current={id === workspace.id ? 'true' : undefined}>
              {name}
              {id === workspace.id && <Icon name="check" />}
            </a>
          </li>
        ))}
      </ul>
      <a class="menu-last" href="/console/new">
        <Icon name="plus" />
        New workspace
      </a>
    </div>
  </details>
)

const AccountMenu = ({ scene: { person, visit } }: { readonly scene: Scene }) => (
  <details class="menu account-menu">
    <summary>
      <Icon name="user" />
      <span class="unseen">Account</span>
    </summary>
    <div class="menu-body">
      <p class="hint">
        Signed in as <strong class="long">{person.email}</strong>
      </p>
      <ul>
        <li>
          <a href="/account">Account</a>
        </li>
        <li>
          <a href="/sessions">Sessions</a>
        </li>
        <li>
          <a href="/invitations">Invitations</a>
        </li>
        <li>
          <a href="/mail">Email preferences</a>
        </li>
        <li>
          <a href="/device">Connect a device</a>
        </li>
        <li>
          <a href="/docs">Documentation</a>
        </li>
      </ul>
      <Form action="/sign-out" csrf={visit.csrf} hidden={{ return_to: '/' }}>
        <button type="submit" class="quiet">
          Sign out
        </button>
      </Form>
    </div>
  </details>
)
