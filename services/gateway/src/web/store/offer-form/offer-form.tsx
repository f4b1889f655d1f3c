/** The fields of an offer: those that the library draws, then those that are entered as JSON. */
// The package's own index also imports an unused validator.
import Form from '@rjsf/core/lib/components/Form.js'
import { lostNumber } from '@svc/contract/core/json-numbers'
import { ErrorSchemaBuilder } from '@rjsf/utils'
import { Component, type ComponentChildren } from 'preact'
import { createRoot } from 'preact/compat/client'
import { forCustomers } from '../../kit/offers/for-customers.ts'
import type { FieldProblem, OfferFormData } from '../../kit/offers/offer-form-data.ts'
import { checkValues } from './check-values.ts'
import { formValidator } from './form-validator.ts'
import { type Entered, mayStore } from './draft.ts'
import { isObject, type Schema } from './json-value.ts'
import { type FormPlan, planForm } from './plan-form.ts'
import { RawValue } from './raw-value.tsx'
import { NumberField } from './number-field.tsx'
import { nameOf, shown, unfinished } from './on-page.ts'
import { settleValues } from './settle-values.ts'
import { templates } from './templates.tsx'
import { Select } from './select.tsx'
import { Checkbox } from './text-input.tsx'

export interface OfferForm {
  /** The current values; problems are shown at the fields and returned. */
  read(): { values: Record<string, unknown>; problems: FieldProblem[] }
  /** What has been entered so far, except passwords. */
  entered(): Entered
}

export function mountOfferForm(
  container: Element,
  data: OfferFormData,
  draft: Entered | undefined,
): OfferForm {
  const { schema, locked } = data
  const bySeller = { locked: Object.keys(locked), kept: data.kept, filled: data.filled }
  const root = createRoot(container)
  let plan = planForm(schema, bySeller)
  let problems = data.problems
  let form: { state: { formData?: Record<string, unknown> } } | null = null
  let start = draft?.values ?? data.values
  const texts = new Map(Object.entries(draft?.texts ?? {}))
  const startTexts = () => {
    for (const { name } of plan.raw) texts.set(name, texts.get(name) ?? textOf(startOf(name)))
  }
  const startOf = (name: string) => {
    if (Object.hasOwn(start, name)) return start[name]
    const property = isObject(schema.properties) ? schema.properties[name] : undefined
    return isObject(property) ? property.default : undefined
  }

  function show() {
    root.render(
      <Guard key={String(plan.raw.length)} onError={enterAllAsJson}>
        <Fields
          plan={plan}
          start={{ ...without(start, plan), ...locked }}
          problems={problems}
          texts={texts}
          keep={made => {
            form = made
          }}
        />
      </Guard>,
    )
  }

  function enterAllAsJson() {
    plan = planForm(schema, bySeller, false)
    start = form?.state.formData ?? start
    form = null
    startTexts()
    show()
  }

  /** The service checks all of it again: a schema that cannot be applied here keeps nobody from ordering. */
  function check(values: Record<string, unknown>): FieldProblem[] {
    try {
      return checkValues(plan.checked, values)
    } catch (error) {
      reportError(error)
      return []
    }
  }

  startTexts()
  show()

  return {
    read() {
      if (!form) throw new Error('The form is not shown.')
      // Without what is undefined, as it is sent; a row in which nothing was entered is null.
      const state: Schema = JSON.parse(JSON.stringify(form.state.formData ?? {}))
      const entered = shown(without(state, plan, bySeller.locked))
      const values = settleValues(plan.drawn, entered)
      const malformed = unfinished(container)
      for (const [name, text] of texts) {
        if (text.trim() === '') continue
        try {
          values[name] = JSON.parse(text)
          const lost = lostNumber(text)
          if (lost) malformed.push({ path: [name, ...lost.path], message: lost.problem })
        } catch {
          malformed.push({ path: [name], message: 'is not valid JSON' })
        }
      }
      const found = check({ ...values, ...locked }).filter(
        ({ path: [first = ''] }) => !malformed.some(({ path: [name] }) => name === first),
      )
      problems = inOrder([...malformed, ...found.map(one => forCustomers(one, plan.drawn))], schema)
      show()
      return { values, problems: [...problems] }
    },
    entered() {
      const isKept = mayStore(schema, plan.drawn)
      const kept = <Value,>(entries: Iterable<[string, Value]>) =>
        Object.fromEntries([...entries].filter(([name]) => isKept(name)))
      return { values: kept(Object.entries(form?.state.formData ?? start)), texts: kept(texts) }
    },
  }
}

function without(
  values: Readonly<Record<string, unknown>>,
  { raw }: FormPlan,
  names: readonly string[] = [],
) {
  const left = Object.entries(values).filter(
    ([name, value]) =>
      value !== undefined && !names.includes(name) && !raw.some(property => property.name === name),
  )
  return Object.fromEntries(left)
}

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2))

interface FieldsProps {
  readonly plan: FormPlan
  readonly start: Record<string, unknown>
  readonly problems: readonly FieldProblem[]
  readonly texts: Map<string, string>
  keep(form: { state: { formData?: Record<string, unknown> } } | null): void
}

function Fields({ plan, start, problems, texts, keep }: FieldsProps) {
  const errors = new ErrorSchemaBuilder()
  for (const { path, message } of problems) errors.addErrors(sentence(message), [...path])
  return (
    <>
      <Form
        ref={keep}
        tagName="div"
        className="fields"
        idPrefix="values"
        nameGenerator={nameOf}
        schema={plan.drawn}
        uiSchema={uiSchema}
        initialFormData={start}
        validator={formValidator}
        templates={templates}
        widgets={widgets}
        fields={fields}
        extraErrors={errors.ErrorSchema}
        noValidate
        showErrorList={false}
        experimental_defaultFormStateBehavior={defaults}
      />
      {plan.raw.map(property => (
        <RawValue
          key={property.name}
          property={property}
          text={texts.get(property.name) ?? ''}
          problem={
            problems
              .filter(({ path }) => path[0] === property.name)
              .map(({ message }) => sentence(message))[0]
          }
          onChange={text => texts.set(property.name, text)}
        />
      ))}
    </>
  )
}

function inOrder(problems: readonly FieldProblem[], { properties }: OfferFormData['schema']): FieldProblem[] {
  const names = Object.keys(isObject(properties) ? properties : {})
  return [...problems].sort((a, b) => names.indexOf(a.path[0] ?? '') - names.indexOf(b.path[0] ?? ''))
}

const uiSchema = { 'ui:submitButtonOptions': { norender: true } }
const fields = { NumberField }
const widgets = { CheckboxWidget: Checkbox, SelectWidget: Select }
const defaults = {
  arrayMinItems: { populate: 'never' },
  emptyObjectFields: 'populateAllDefaults',
} as const

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The order can be placed whatever a seller's schema does to the library. */
class Guard extends Component<{ onError: () => void; children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false }

  static override getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch() {
    this.props.onError()
  }

  override render() {
    return this.state.failed ? null : this.props.children
  }
}
