/** The form that customers fill in, made by the same script from the same schema. It sends nothing. */
import { ids, type OfferFormData } from '../../kit/offers/offer-form-data.ts'
import { scriptJson } from '../../kit/page/script-json.ts'

type Schema = Readonly<Record<string, unknown>>

export function CustomersForm({ schema }: { readonly schema: Schema }) {
  const undrawn = whyUndrawn(schema)
  if (undrawn) return <p class="hint">{undrawn}</p>
  const data: OfferFormData = {
    ...{ schema, values: {}, locked: {}, kept: [], filled: [], problems: [] },
    ...{ latest: '', areSent: false, draftKey: '' },
  }
  return (
    <div class="preview">
      <div id={ids.problems} />
      <form id={ids.form} method="dialog" noValidate>
        <div id={ids.fields} />
      </form>
      <noscript>
        <p class="hint">This preview needs JavaScript, and so does the customer’s form.</p>
      </noscript>
      <script
        type="application/json"
        id={ids.data}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a script is not escaped, but by us
        dangerouslySetInnerHTML={{ __html: scriptJson(data) }}
      />
    </div>
  )
}

const others = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
  'additionalProperties',
]

/** Why a schema has no form, as far as that is known without the service; undefined if it may have one. */
function whyUndrawn(schema: Schema): string | undefined {
  const { type, properties = {} } = schema
  if (type !== 'object') return 'There’s no form: the type of the schema must be "object".'
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties))
    return 'There’s no form: “properties” must be an object with a schema for each field.'
  const isEmpty = Object.keys(properties).length === 0 && !others.some(name => Object.hasOwn(schema, name))
  return isEmpty ? 'There’s no form: the schema has no fields for customers to fill in.' : undefined
}
