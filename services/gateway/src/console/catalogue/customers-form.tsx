/** The form that customers fill in, made by the same script from the same schema. Nothing is sent from here. */
import { ids, type OfferFormData } from '../../pages/offer/offer-form-data.ts'
import { scriptJson } from '../../pages/shared/script-json.ts'

export function CustomersForm({ schema }: { readonly schema: Readonly<Record<string, unknown>> }) {
  const data: OfferFormData = { schema, values: {}, locked: {}, kept: [], problems: [] }
  return (
    <div class="preview">
      <div id={ids.problems} />
      <form id={ids.form} method="dialog" noValidate>
        <div id={ids.fields} />
      </form>
      <noscript>
        <p class="hint">The form needs JavaScript, as it does for customers.</p>
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
