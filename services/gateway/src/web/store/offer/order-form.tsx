import { Form } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import type { OwnClusters } from '../../kit/visit/own-clusters.ts'
import type { Visit } from '../../kit/visit/visit.ts'
import { ClusterField } from './cluster-field.tsx'
import { ids, labelOf, type OfferFormData } from '../../kit/offers/offer-form-data.ts'
import type { Offer } from './resolve-offer.ts'
import { orderText, periodText, type Provider } from '../../kit/offers/terms-view.tsx'
import { WorkspaceField, type WorkspaceFieldProps } from './workspace-field.tsx'

interface OrderFormProps extends WorkspaceFieldProps {
  readonly visit: Visit
  readonly hash: string
  readonly offer: Offer
  readonly cluster: string
  readonly clusters: OwnClusters
  readonly form: Problems
  readonly data: OfferFormData
  readonly asks: boolean
  readonly provider: Provider
}

export function OrderForm(props: OrderFormProps) {
  const { visit, hash, offer, workspaces, cluster, clusters, form, data, asks, provider } = props
  const period = periodText(offer.terms, provider)
  return (
    <Form
      action={`/i/${hash}`}
      csrf={visit.csrf}
      hidden={{
        // The script puts in what was entered.
        [ids.values]: asks ? '' : JSON.stringify(data.values),
        [ids.latest]: data.latest,
      }}
      id={ids.form}
    >
      <WorkspaceField {...props} />
      <ClusterField
        clusters={clusters}
        chosen={cluster}
        areNamed={workspaces.length > 1}
        problem={form.cluster}
      />
      {data.kept.length > 0 && (
        <p class="hint long">
          The seller has already provided{' '}
          {data.kept.map(name => labelOf(offer.input_schema, [name])).join(', ')}. Leave these blank to keep
          the seller’s values.
        </p>
      )}
      {asks && (
        <>
          <div id={ids.fields} />
          <noscript>
            <p class="warning">
              This form needs JavaScript. Enable it for this page, or order through the API.
            </p>
          </noscript>
        </>
      )}
      {period && <p class="hint">{period}</p>}
      <p class="actions">
        {/* The script of the fields makes it ready. */}
        <button type="submit" class="button" disabled={asks}>
          {orderText(offer.terms, provider)}
        </button>
      </p>
    </Form>
  )
}
