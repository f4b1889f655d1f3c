import { Form } from '../../kit/forms/form.tsx'
import { ConsolePage, type Crumb } from '../shell/console-page.tsx'
import type { PartPath } from '../shell/navigation.ts'
import type { Scene } from '../shell/scene.ts'
import { Action, PageHead } from '../../kit/ui/parts.tsx'
import { newKey } from '../../kit/forms/creation-key.ts'
import { type FieldSpec, type FieldValues, namesOf } from '../../kit/forms/field-spec.ts'

interface CreatedBeforeProps {
  readonly scene: Scene
  readonly part: PartPath
  readonly crumbs: readonly Crumb[]
  readonly what: string
  readonly name: string
  readonly paths: { readonly itself: string; readonly rotate: string; readonly form: string }
  readonly fields: readonly FieldSpec[]
  readonly values: FieldValues
}

export function CreatedBeforePage(props: CreatedBeforeProps) {
  const { scene, part, crumbs, what, name, paths, fields, values } = props
  const title = `This ${what} already exists`
  const sent = Object.fromEntries(
    fields.flatMap(namesOf).flatMap(name => (values[name] ? [[name, values[name]]] : [])),
  )
  return (
    <ConsolePage scene={scene} title={title} part={part} crumbs={crumbs}>
      <PageHead title={title} />
      <p class="long">
        This form was already sent and created “{name}”. Its secret was shown only once, right after that. If
        you didn’t store it, rotate the secret.
      </p>
      <p class="actions">
        <Action href={`${scene.root}${paths.rotate}`} look="main">
          Rotate secret
        </Action>
        <Action href={`${scene.root}${paths.itself}`}>{`View ${what}`}</Action>
      </p>
      <Form action={`${scene.root}${paths.form}`} csrf={scene.visit.csrf} hidden={{ ...sent, ...newKey() }}>
        <p class="actions">
          <button type="submit" class="button second">
            {`Create another ${what} like this`}
          </button>
        </p>
      </Form>
    </ConsolePage>
  )
}
