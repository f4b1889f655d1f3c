import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface PageHeadProps {
  readonly title: ComponentChildren
  readonly id?: string
  readonly badge?: ComponentChildren
  readonly text?: ComponentChildren
  readonly children?: ComponentChildren
}

export const PageHead = ({ title, id, badge, text, children }: PageHeadProps) => (
  <div class="page-head">
    <div>
      <div class="title-line">
        <h1 class="long">{title}</h1>
        {badge}
      </div>
      {id && <Copied text={id} label="Copy the id" />}
      {text && <p class="hint">{text}</p>}
    </div>
    {children && <div class="actions">{children}</div>}
  </div>
)

export const Copied = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => (
  <span class="copied">
    <code class="long">{text}</code>
    <button type="button" class="copy" data-copy={text} hidden>
      <Icon name="copy" />
      <span class="unseen">{label}</span>
    </button>
  </span>
)

interface CardProps {
  readonly title?: string
  readonly name: string
  readonly text?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly danger?: boolean
  readonly children?: ComponentChildren
}

export const Card = ({ title, name, text, actions, danger, children }: CardProps) => (
  <section class={danger ? 'card dangerous' : 'card'} aria-labelledby={title ? `${name}-title` : undefined}>
    {title && (
      <div class="card-head">
        <div>
          <h2 id={`${name}-title`}>{title}</h2>
          {text && <p class="hint">{text}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
    )}
    {children}
  </section>
)

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: { readonly href: string; readonly label: string } | undefined
}

export const Empty = ({ icon, title, children, action }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    {children && <p class="hint">{children}</p>}
    {action && (
      <a class="button" href={action.href}>
        {action.label}
      </a>
    )}
  </div>
)

export const Fact = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <div>
    <dt>{label}</dt>
    <dd class="long">{children}</dd>
  </div>
)

/** On a page with work in progress: the script reloads it until the work is done. */
export const Follows = () => (
  <p class="hint" data-follows hidden>
    This page updates automatically.
  </p>
)

export type Look = 'good' | 'waits' | 'bad' | 'quiet'

const looks: Readonly<Record<Look, string>> = { good: 'done', waits: 'waits', bad: 'failed', quiet: 'ended' }

export const Badge = ({ look, children }: { readonly look: Look; readonly children: ComponentChildren }) => (
  <span class={`badge ${looks[look]}`}>{children}</span>
)

export const Action = ({
  href,
  look = 'second',
  icon,
  children,
}: {
  readonly href: string
  readonly look?: 'main' | 'second' | 'danger'
  readonly icon?: IconName
  readonly children: ComponentChildren
}) => (
  <a class={look === 'main' ? 'button' : `button ${look}`} href={href}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
)
