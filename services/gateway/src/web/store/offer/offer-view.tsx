import { isHidden } from '@svc/contract/core/sealed-value'
import type { Workspace } from '../../kit/visit/acting.ts'
import { FieldValues } from '../../kit/offers/field-values.tsx'
import { isWaiting } from '../../kit/orders/progress.tsx'
import { StateBadge } from '../../kit/orders/state-badge.tsx'
import { ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import type { OwnClusters } from '../../kit/visit/own-clusters.ts'
import { Page } from '../../kit/page/layout.tsx'
import { draftKey } from '../../kit/offers/draft-key.ts'
import {
  type FieldProblem,
  fieldId,
  ids,
  labelOf,
  type OfferFormData,
  problemText,
} from '../../kit/offers/offer-form-data.ts'
import { OrderForm } from './order-form.tsx'
import { forCustomers } from '../../kit/offers/for-customers.ts'
import type { Offer, OwnOrder, Summary } from './resolve-offer.ts'
import type { Provider } from '../../kit/offers/terms-view.tsx'
import { OfferFacts, Price, Seller } from './seller-view.tsx'
import { offerFormPath, pagesScriptPath } from '../../kit/page/stylesheet.ts'
import { fromNow } from '../../kit/ui/moments.ts'
import { scriptJson } from '../../kit/page/script-json.ts'
import type { Visit } from '../../kit/visit/visit.ts'

interface OfferPageProps {
  readonly visit: Visit
  readonly hash: string
  readonly name: string
  readonly offer: Offer
  readonly summary: Summary | null
  readonly order: OwnOrder | undefined
  readonly workspaces: readonly Workspace[]
  readonly workspace: string
  readonly workspaceName: string
  readonly cluster: string
  readonly clusters: OwnClusters
  readonly sent: Readonly<Record<string, unknown>> | undefined
  readonly form: Problems
  readonly fields: readonly FieldProblem[]
  readonly orderedMeanwhile: true | undefined
  readonly provider: Provider
  readonly now: number
}

export function OfferPage(props: OfferPageProps) {
  const { visit, name, offer, summary, order, orderedMeanwhile, now } = props
  const form = shownAt(props)
  const { input_schema: schema, notes, package_version } = offer
  const fields = props.fields.map(problem => forCustomers(problem, schema))
  const data = formData({ ...props, fields })
  const locked = Object.keys(data.locked)
  const waiting = order && isWaiting(order.state) ? order : undefined
  const properties = Object.keys((schema.properties as object | undefined) ?? {})
  const asks = !waiting && properties.some(one => !locked.includes(one))
  const problems = { ...form, ...Object.fromEntries(fields.map(problem => summaryEntry(problem, schema))) }
  return (
    <Page
      title={name}
      visit={visit}
      failed={Object.keys(problems).length > 0 || orderedMeanwhile === true}
      width="widest"
      scripts={[pagesScriptPath]}
    >
      <div id={ids.problems}>
        <ProblemSummary problems={problems} />
      </div>
      <div class="checkout">
        <div class="deal">
          <div>
            <h1 class="long">{name}</h1>
            <p class="hint long">
              {offer.package.name}, version {package_version.version}
            </p>
          </div>
          <Price terms={offer.terms} />
          <Seller seller={summary?.seller ?? null} />
          <OfferFacts
            terms={offer.terms}
            seatsLeft={summary?.seats_left}
            expiresAt={offer.expires_at}
            now={now}
          />
          {notes && (
            <section class="note" aria-labelledby="note-title">
              <h2 id="note-title">From the seller</h2>
              <p class="long lines">{notes}</p>
            </section>
          )}
          {locked.length > 0 && (
            <section class="part-of-page" aria-labelledby="locked-title">
              <h2 id="locked-title">Set by the seller</h2>
              <p class="hint">You can’t change these values.</p>
              <FieldValues values={data.locked} schema={schema} />
            </section>
          )}
        </div>
        <section class="part-of-page" aria-labelledby="order-title">
          <h2 id="order-title">Your order</h2>
          {waiting ? (
            <OrderWaiting order={waiting} />
          ) : (
            <>
              {order?.state === 'completed' && <Ordered order={order} now={now} isAsked={orderedMeanwhile} />}
              <OrderForm {...props} form={form} data={data} asks={asks} />
            </>
          )}
        </section>
      </div>
      {asks && (
        <>
          <script
            type="application/json"
            id={ids.data}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a script is not escaped, but by us
            dangerouslySetInnerHTML={{ __html: scriptJson(data) }}
          />
          <script src={offerFormPath} defer />
        </>
      )}
    </Page>
  )
}

/** Replaces the form: a person has one order of an offer in progress. */
const OrderWaiting = ({ order: { id, state } }: { readonly order: OwnOrder }) => (
  <>
    <p>
      <StateBadge state={state} />
    </p>
    <p>You have already ordered, and your order is in progress.</p>
    <p class="actions">
      <a class="button" href={`/orders/${id}`}>
        View your order
      </a>
    </p>
  </>
)

interface OrderedProps {
  readonly order: OwnOrder
  readonly now: number
  readonly isAsked: true | undefined
}

const Ordered = ({ order: { id, created_at }, now, isAsked }: OrderedProps) => (
  <div
    class={isAsked ? 'summary' : 'notice'}
    role={isAsked && 'alert'}
    tabIndex={isAsked && -1}
    autofocus={isAsked}
  >
    <p>
      You ordered this {fromNow(created_at - now)}. <a href={`/orders/${id}`}>View your order</a>.
    </p>
    <p>
      {isAsked
        ? 'Do you want another one? Nothing more has been ordered yet: to get another install, order again below.'
        : 'Ordering again creates another install.'}
    </p>
  </div>
)

function shownAt({ form: { cluster, ...others }, clusters }: OfferPageProps): Problems {
  if (!cluster) return others
  return clusters.groups.length > 0 ? { ...others, cluster } : { ...others, '': cluster }
}

function formData({ visit: { person }, hash, offer, order, sent, fields }: OfferPageProps): OfferFormData {
  const entries = Object.entries(offer.field_values)
  const valuesOf = (chosen: typeof entries) =>
    Object.fromEntries(chosen.map(([name, { value }]) => [name, value]))
  const open = entries.filter(([, { locked }]) => !locked)
  const filled = open.filter(([, { value }]) => !isHidden(value))
  return {
    schema: offer.input_schema,
    values: sent ?? valuesOf(filled),
    locked: valuesOf(entries.filter(([, { locked }]) => locked)),
    kept: open.filter(([, { value }]) => isHidden(value)).map(([name]) => name),
    filled: filled.map(([name]) => name),
    problems: fields,
    latest: order && order.state !== 'open' ? order.id : '',
    areSent: sent !== undefined,
    draftKey: person ? draftKey(person, hash) : '',
  }
}

const summaryEntry = ({ path, message }: FieldProblem, schema: Offer['input_schema']) => [
  path.length > 0 ? encodeURIComponent(fieldId(path)) : '',
  problemText(labelOf(schema, path), message),
]
