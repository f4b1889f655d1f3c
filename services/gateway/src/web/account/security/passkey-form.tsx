import type { ComponentChildren } from 'preact'
import { tokenField } from '../../kit/forms/form-fields.ts'
import { scriptJson } from '../../kit/page/script-json.ts'

interface PasskeyFormProps {
  readonly kind: 'create' | 'get'
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly options: object
  /** The browser asks as soon as the page is there. */
  readonly starts?: boolean
  readonly button: string
  readonly isDangerous?: boolean
  readonly children?: ComponentChildren
}

/** Hidden without a script, which alone can ask for a passkey. */
export const PasskeyForm = ({
  kind,
  action,
  csrf,
  hidden = {},
  options,
  starts,
  button,
  isDangerous,
  children,
}: PasskeyFormProps) => (
  <form method="post" action={action} noValidate hidden data-passkey={kind} data-start={starts || undefined}>
    {Object.entries({ [tokenField]: csrf, passkey: '', ...hidden }).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <script
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, of which scriptJson has escaped what could end it.
      dangerouslySetInnerHTML={{ __html: scriptJson(options) }}
    />
    {children}
    <p class="actions">
      <button type="submit" class={isDangerous ? 'button danger' : 'button'}>
        {button}
      </button>
    </p>
    <p class="problem" role="alert" />
  </form>
)
