import type { ComponentChildren } from 'preact'
import { type Problems, tokenField } from './form-fields.ts'
import { summaryTitle } from './summary-title.ts'

interface FormProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly id?: string
  readonly children: ComponentChildren
}

export function Form({ action, csrf, hidden = {}, id, children }: FormProps) {
  return (
    // The server reports problems, so that they read the same in every browser.
    <form id={id} method="post" action={action} noValidate>
      {Object.entries({ [tokenField]: csrf, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

/** Above the form, with the focus, so that it is read first. */
export function ProblemSummary({ problems }: { readonly problems: Problems | undefined }) {
  const entries = Object.entries(problems ?? {})
  if (entries.length === 0) return null
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus aria-labelledby="summary-title">
      <h2 id="summary-title">{summaryTitle(entries.length)}</h2>
      <ul>
        {entries.map(([name, text]) => (
          <li key={name}>{name ? <a href={`#${name}`}>{text}</a> : text}</li>
        ))}
      </ul>
    </div>
  )
}
