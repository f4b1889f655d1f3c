import type { ComponentChildren } from 'preact'
import type { Crumb } from '../shell/console-page.tsx'
import type { PartPath } from '../shell/navigation.ts'
import type { Scene } from '../shell/scene.ts'
import type { CallSpec } from './command-lines.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { FormPage } from './form-page.tsx'

interface ConfirmProps {
  readonly scene: Scene
  readonly part?: PartPath
  readonly crumbs: readonly Crumb[]
  readonly question: string
  readonly consequence: ComponentChildren
  readonly button: string
  readonly action: string
  readonly back: string
  readonly call: CallSpec
  readonly problem?: string | undefined
  readonly problems?: Problems | undefined
  readonly fields?: readonly FieldSpec[]
  readonly values?: FieldValues
}

export const ConfirmPage = ({
  question,
  consequence,
  problem,
  problems = problem ? { '': problem } : undefined,
  fields = [],
  values = {},
  ...rest
}: ConfirmProps) => (
  <FormPage {...rest} title={question} isDangerous fields={fields} values={values} problems={problems}>
    <div class="consequence">{consequence}</div>
  </FormPage>
)
