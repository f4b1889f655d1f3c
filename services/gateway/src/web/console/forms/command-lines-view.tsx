/** "Do this from the command line", with the form's values, which a script keeps current. */
import { Icon } from '../../kit/ui/icon.tsx'
import { type CallSpec, curlLine, svcLine } from './command-lines.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { scriptJson } from '../../kit/page/script-json.ts'

interface CommandLinesProps {
  readonly call: CallSpec
  readonly values?: FieldValues
  readonly form?: string
  readonly more?: readonly (readonly [title: string, call: CallSpec])[]
}

export function CommandLines({ call, values = {}, form, more = [] }: CommandLinesProps) {
  return (
    <details class="lines-of-call" data-form={form}>
      <summary>
        <Icon name="terminal" />
        Do this from the command line
      </summary>
      {form && (
        <script
          type="application/json"
          class="call"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a script is not escaped, but by us
          dangerouslySetInnerHTML={{ __html: scriptJson(call) }}
        />
      )}
      <Lines call={call} values={values} />
      {more.map(([title, other]) => (
        <div key={title}>
          <p class="title-of-line">{title}</p>
          <Lines call={other} values={{}} />
        </div>
      ))}
    </details>
  )
}

function Lines({ call, values }: { readonly call: CallSpec; readonly values: FieldValues }) {
  const lines = [
    ['svc', svcLine(call, values)],
    ['curl', curlLine(call, values)],
  ] as const
  return (
    <>
      {lines.map(([name, line]) => (
        <div key={name} class="command-line">
          <p class="hint">{name}</p>
          <pre data-line={name}>{line}</pre>
          <button type="button" class="copy" data-copy={line} hidden>
            <Icon name="copy" />
            <span class="unseen">{`Copy the ${name} line`}</span>
          </button>
        </div>
      ))}
    </>
  )
}
