import type { ComponentChildren } from 'preact'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { ConsolePage, type Crumb } from '../shell/console-page.tsx'
import type { PartPath } from '../shell/navigation.ts'
import type { Scene } from '../shell/scene.ts'
import { Card, PageHead } from '../../kit/ui/parts.tsx'
import type { CallSpec } from './command-lines.ts'
import { CommandLines } from './command-lines-view.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'

interface FormPageProps {
  readonly scene: Scene
  readonly title: string
  readonly part?: PartPath
  readonly crumbs: readonly Crumb[]
  readonly text?: ComponentChildren
  readonly action: string
  readonly call: CallSpec
  readonly fields: readonly FieldSpec[]
  readonly values: FieldValues
  readonly problems?: Problems | undefined
  readonly hidden?: Readonly<Record<string, string>>
  readonly button: string
  readonly isDangerous?: boolean
  readonly back: string
  readonly backLabel?: string
  readonly scripts?: readonly string[]
  readonly second?: { readonly name: string; readonly value: string; readonly label: string }
  readonly below?: ComponentChildren
  readonly children?: ComponentChildren
}

export function FormPage(props: FormPageProps) {
  const { scene, title, text, action, call, fields, values, problems } = props
  const { hidden = {}, button, second, below, back, backLabel = 'Cancel', children } = props
  const failed = Object.keys(problems ?? {}).length > 0
  return (
    <ConsolePage {...props} failed={failed}>
      <PageHead title={title} text={text} />
      <ProblemSummary problems={problems} />
      <div class={props.isDangerous ? 'question' : undefined}>
        <Card name="form">
          <Form action={scene.root + action} csrf={scene.visit.csrf} hidden={hidden} id="call">
            {props.isDangerous && children}
            <Fields fields={fields} values={values} problems={problems} />
            {!props.isDangerous && children}
            <p class="actions">
              <button type="submit" class={props.isDangerous ? 'button danger' : 'button'}>
                {button}
              </button>
              {second && (
                <button type="submit" class="button second" name={second.name} value={second.value}>
                  {second.label}
                </button>
              )}
              <a class="button second" href={scene.root + back}>
                {backLabel}
              </a>
            </p>
          </Form>
        </Card>
      </div>
      {below}
      <CommandLines call={call} values={values} form="call" />
    </ConsolePage>
  )
}
