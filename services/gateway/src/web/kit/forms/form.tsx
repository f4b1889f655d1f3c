/** Forms: each carries its token, and says beside each field and above all of them what is wrong. */
import type { ComponentChildren, JSX } from 'preact'
import { type Problems, tokenField } from './form-fields.ts'

interface FormProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly id?: string
  readonly children: ComponentChildren
}

export function Form({ action, csrf, hidden = {}, id, children }: FormProps) {
  return (
    // The server reports what is wrong, so that it reads the same in every browser.
    <form id={id} method="post" action={action} noValidate>
      {Object.entries({ [tokenField]: csrf, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly problem?: string | undefined
  readonly input: JSX.IntrinsicElements['input']
}

export function Field({ name, label, hint, problem, input }: FieldProps) {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <label for={name}>{label}</label>
      {problem && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      <input
        {...input}
        id={name}
        name={name}
        required
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface SelectFieldProps extends Pick<FieldProps, 'name' | 'label' | 'hint' | 'problem'> {
  readonly required?: boolean
  /** The options. */
  readonly children: ComponentChildren
}

export function SelectField({ name, label, hint, problem, required, children }: SelectFieldProps) {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <label for={name}>{label}</label>
      {problem && (
        <p class="problem long" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      <select
        id={name}
        name={name}
        required={required}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={described || undefined}
      >
        {children}
      </select>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Above the form, with the focus, so that it is read first. */
export function ProblemSummary({ problems }: { readonly problems: Problems | undefined }) {
  const entries = Object.entries(problems ?? {})
  if (entries.length === 0) return null
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus aria-labelledby="summary-title">
      <h2 id="summary-title">
        {entries.length === 1 ? 'There’s a problem' : `There are ${entries.length} problems`}
      </h2>
      <ul>
        {entries.map(([name, text]) => (
          <li key={name}>{name ? <a href={`#${name}`}>{text}</a> : text}</li>
        ))}
      </ul>
    </div>
  )
}
