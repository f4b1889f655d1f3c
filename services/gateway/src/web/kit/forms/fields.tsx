import type { ComponentChildren, JSX } from 'preact'
import type { Problems } from './form-fields.ts'
import type { FieldSpec, FieldValues } from './field-spec.ts'

interface FieldsProps {
  readonly fields: readonly FieldSpec[]
  readonly values: FieldValues
  readonly problems?: Problems | undefined
}

export const Fields = ({ fields, values, problems = {} }: FieldsProps) => (
  <>
    {fields.map(spec => (
      <FieldOf key={spec.name} spec={spec} values={values} problem={problems[spec.name]} />
    ))}
  </>
)

interface OneProps {
  readonly spec: FieldSpec
  readonly values: FieldValues
  readonly problem: string | undefined
}

export function FieldOf({ spec, values, problem }: OneProps) {
  const { name, label, isOptional, kind, isSecret } = spec
  if (kind === 'checks' || kind === 'radio') return <Choices spec={spec} values={values} problem={problem} />
  // No page contains a secret that somebody typed: it would be in caches, and on other people's screens.
  const value = isSecret ? '' : (values[name] ?? '')
  const hint = isSecret && values[name] ? 'For security, enter this again.' : spec.hint
  const attributes = attributesOf(name, hint, problem)
  const text = (
    <label for={name}>
      {label}
      {isOptional && kind !== 'check' && <span class="optional"> (optional)</span>}
    </label>
  )
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      {kind === 'check' ? (
        <div class="check">
          <input {...attributes} type="checkbox" checked={values[name] === 'on'} />
          {text}
        </div>
      ) : (
        text
      )}
      <ProblemOf name={name} problem={problem} />
      {kind !== 'check' && <Input spec={spec} value={value} attributes={attributes} />}
      <HintOf name={name} hint={hint} />
    </div>
  )
}

interface SelectFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly problem?: string | undefined
  readonly required?: boolean
  readonly children: ComponentChildren
}

export const SelectField = ({ name, label, hint, problem, required, children }: SelectFieldProps) => (
  <div class={problem ? 'field wrong' : 'field'}>
    <label for={name}>{label}</label>
    <ProblemOf name={name} problem={problem} />
    <select {...attributesOf(name, hint, problem)} required={required}>
      {children}
    </select>
    <HintOf name={name} hint={hint} />
  </div>
)

const describedBy = (name: string, hint: string | undefined, problem: string | undefined) =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined

const attributesOf = (name: string, hint: string | undefined, problem: string | undefined) => ({
  id: name,
  name,
  'aria-invalid': problem ? ('true' as const) : undefined,
  'aria-describedby': describedBy(name, hint, problem),
})

const ProblemOf = ({ name, problem }: { readonly name: string; readonly problem: string | undefined }) =>
  problem ? (
    <p class="problem long" id={`${name}-problem`}>
      {problem}
    </p>
  ) : null

const HintOf = ({ name, hint }: { readonly name: string; readonly hint: string | undefined }) =>
  hint ? (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  ) : null

interface InputProps {
  readonly spec: FieldSpec
  readonly value: string
  readonly attributes: object
}

const yesOrNo = [
  ['', 'Not set'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const

function Input({ spec, value, attributes }: InputProps) {
  const { kind = 'text', choices = [], rows = 4, placeholder, autocomplete, isOptional, min, max } = spec
  const required = !isOptional
  if (kind === 'select' || kind === 'number-of' || kind === 'value-of') {
    return (
      <select {...attributes} required={required}>
        {!choices.some(([one]) => one === value) && (
          <option value="">{required ? 'Select…' : 'Not set'}</option>
        )}
        {choices.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'textarea' || kind === 'json' || kind === 'lines' || kind === 'texts') {
    return (
      <textarea
        {...attributes}
        class={kind === 'json' ? 'json' : undefined}
        rows={rows}
        required={required}
        placeholder={placeholder}
        spellcheck={kind === 'textarea'}
      >
        {/* A browser drops the first line break. */}
        {value.startsWith('\n') ? `\n${value}` : value}
      </textarea>
    )
  }
  if (kind === 'yes-no') {
    return (
      <select {...attributes} required={required}>
        {(choices.length > 0 ? choices : yesOrNo).map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  const types = {
    secret: 'password',
    moment: 'datetime-local',
    email: 'email',
    url: 'url',
    number: 'number',
  } as const
  const input = {
    ...attributes,
    ...{ value, required, placeholder },
    type: kind in types ? types[kind as keyof typeof types] : 'text',
    ...(kind === 'email' && { spellcheck: false }),
    autocomplete: autocomplete ?? (kind === 'secret' ? 'new-password' : 'off'),
    // No maxlength: a browser would silently cut off pasted text, but the service reports it at the field.
    ...(kind === 'number' && { min, max }),
    ...(kind === 'money' && { inputMode: 'decimal', 'data-least': min, 'data-most': max }),
    ...spec.input,
  }
  return <input {...(input as JSX.IntrinsicElements['input'])} />
}

function Choices({ spec: { name, label, kind, hint, choices = [] }, values, problem }: OneProps) {
  const isRadio = kind === 'radio'
  const groups = [...new Set(choices.map(([, , more]) => (isRadio ? undefined : more)))]
  const boxesOf = (some: typeof choices) => (
    <div class={isRadio ? undefined : 'checks'}>
      {some.map(([value, text, more]) => {
        const id = `${name}.${value}`
        const hint = isRadio ? more : undefined
        return (
          <div key={value} class="check">
            <input
              type={isRadio ? 'radio' : 'checkbox'}
              id={id}
              name={isRadio ? name : id}
              value={isRadio ? value : undefined}
              checked={isRadio ? values[name] === value : values[id] === 'on'}
              aria-describedby={describedBy(id, hint, undefined)}
            />
            <div>
              <label for={id}>{text}</label>
              <HintOf name={id} hint={hint} />
            </div>
          </div>
        )
      })}
    </div>
  )
  return (
    <fieldset
      id={name}
      class={problem ? 'plain wrong' : 'plain'}
      aria-describedby={describedBy(name, hint, problem)}
    >
      <legend>{label}</legend>
      <ProblemOf name={name} problem={problem} />
      <HintOf name={name} hint={hint} />
      {groups[0] === undefined ? (
        boxesOf(choices)
      ) : (
        <>
          <ChoiceFilter name={name} />
          <div class="choice-groups">
            {groups.map(group => (
              <fieldset key={group} class="plain">
                <legend>{group}</legend>
                {boxesOf(choices.filter(([, , own]) => own === group))}
              </fieldset>
            ))}
          </div>
        </>
      )}
    </fieldset>
  )
}

/** For the script, which shows it: what it hides is sent as well. */
const ChoiceFilter = ({ name }: { readonly name: string }) => (
  <div class="choice-filter" data-filters={name} hidden>
    <label class="unseen" for={`${name}.filter`}>
      Filter
    </label>
    <input
      type="search"
      id={`${name}.filter`}
      placeholder="Filter"
      autocomplete="off"
      spellcheck={false}
      aria-describedby={`${name}.found`}
    />
    <p class="hint" id={`${name}.found`} role="status" />
  </div>
)
