/** Two calls on the bus, one after the other: the version has the id of its package. */
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { type FieldSpec, type FieldValues, fill } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { offerFormPath } from '../../kit/page/stylesheet.ts'
import { MarkdownView } from '../../kit/ui/markdown-view.tsx'
import { Action, Card, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { crumbsOf } from './crumbs.ts'
import { CustomersForm } from './customers-form.tsx'
import { shownName } from './names.ts'

const { create_package_version, get_package_version } = offers.operations

export const versionFields: readonly FieldSpec[] = [
  {
    name: 'version',
    label: 'Version',
    hint: 'Must be unique within the package, for example 1.4.0.',
  },
  {
    name: 'input_schema',
    label: 'Order form (JSON Schema)',
    kind: 'json',
    rows: 22,
    isFile: true,
    hint: 'JSON Schema 2020-12, type “object”. Customers see titles and descriptions.',
  },
  {
    name: 'instructions',
    label: 'Instructions after ordering',
    kind: 'textarea',
    rows: 10,
    isOptional: true,
    hint: 'What a customer does after ordering, in Markdown. {{ field.company }} becomes their answer, {{ install.id }} the install, {{ credential }} how to create its credential.',
  },
]

const firstSchema = {
  type: 'object',
  properties: {
    company: {
      type: 'string',
      title: 'Company',
      description: 'The name shown on your reports.',
      minLength: 1,
      maxLength: 100,
    },
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
  },
  required: ['company', 'region'],
}

export function versionPages({ get, post }: ConsolePages) {
  get('/catalogue/versions/:id', async scene => {
    const params = { id: scene.params.id ?? '' }
    const version = await scene.invoke(offers, 'get_package_version', { params })
    const { id, package_id, input_schema, instructions, created_at } = version
    const pkg = await scene.invoke(offers, 'get_package', { params: { id: package_id } })
    const title = `Version ${shownName({ id, name: version.version })}`
    return scene.show(
      <ConsolePage
        scene={scene}
        title={title}
        part="/catalogue"
        crumbs={crumbsOf('packages', { label: shownName(pkg), path: `/catalogue/packages/${package_id}` })}
        scripts={[offerFormPath]}
      >
        <PageHead
          title={title}
          id={id}
          text={
            <>
              Published <When at={created_at} now={scene.now} />. Versions can’t be edited.
            </>
          }
        >
          <Action href={`${scene.root}/offers/new?package_version_id=${id}`} icon="tag">
            Create offer
          </Action>
          <Action href={`${scene.root}/catalogue/packages/${package_id}/versions/new?from=${id}`}>
            Duplicate version
          </Action>
        </PageHead>
        <div class="two">
          <Card name="form" title="What customers see">
            <CustomersForm schema={input_schema} />
          </Card>
          <Card name="schema" title="Schema">
            <pre class="code">{JSON.stringify(input_schema, null, 2)}</pre>
          </Card>
        </div>
        {instructions && (
          <Card name="instructions" title="Instructions" text="Placeholders become the values of each order.">
            <MarkdownView text={instructions} />
          </Card>
        )}
        <CommandLines call={callOf(scene, get_package_version, { params })} />
      </ConsolePage>,
    )
  })

  get('/catalogue/packages/:id/versions/new', async scene => {
    const from = scene.query.get('from')
    const { input_schema, instructions } = from
      ? await scene.invoke(offers, 'get_package_version', { params: { id: from } })
      : { input_schema: firstSchema, instructions: null }
    const values = { input_schema: JSON.stringify(input_schema, null, 2), instructions: instructions ?? '' }
    return scene.show(await newPage(scene, values))
  })

  post('/catalogue/packages/:id/versions/new', async scene => {
    const values = valuesOf(scene)
    const params = { id: scene.params.id ?? '' }
    if (values.step === 'preview') {
      const { body, problems } = fill(versionFields.slice(1, 2), values)
      if (problems.input_schema) return scene.show(await newPage(scene, values, problems), 422)
      const schema = body.input_schema
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
        const input_schema = 'The schema must be a JSON object, for example {"type": "object"}.'
        return scene.show(await newPage(scene, values, { input_schema }), 422)
      }
      return scene.show(await newPage(scene, values, {}, schema as Schema))
    }
    const sent = await send(versionFields, values, body =>
      scene.invoke(offers, 'create_package_version', { params, body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/versions/${sent.done.id}`, 'created')
    return scene.show(await newPage(scene, values, sent.refused.problems), sent.refused.status)
  })
}

type Schema = Readonly<Record<string, unknown>>

async function newPage(
  scene: Scene,
  values: FieldValues,
  problems: Readonly<Record<string, string>> = {},
  preview?: Schema,
) {
  const params = { id: scene.params.id ?? '' }
  const { id, name } = await scene.invoke(offers, 'get_package', { params })
  const path = `/catalogue/packages/${id}`
  return (
    <FormPage
      scene={scene}
      title={`New version of ${shownName({ id, name })}`}
      part="/catalogue"
      crumbs={crumbsOf('packages', { label: shownName({ id, name }), path })}
      action={`${path}/versions/new`}
      call={callOf(scene, create_package_version, { params, fields: versionFields })}
      {...{ fields: versionFields, values, problems }}
      button="Publish version"
      second={{ name: 'step', value: 'preview', label: 'Preview' }}
      back={path}
      scripts={preview === undefined ? [] : [offerFormPath]}
      below={
        preview !== undefined && (
          <Card name="preview" title="Preview" text="Not published yet.">
            <CustomersForm schema={preview} />
          </Card>
        )
      }
    />
  )
}
