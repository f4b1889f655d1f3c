/** The page on which an offer is read and ordered. */
import { isHidden } from '@svc/contract/core/sealed-value'
import type { Workspace } from '../shared/acting.ts'
import { FieldValues } from './field-values.tsx'
import { StateBadge } from '../order/state-badge.tsx'
import { Field, Form, ProblemSummary } from '../shared/form.tsx'
import type { Problems } from '../shared/form-fields.ts'
import { Page } from '../shared/layout.tsx'
import {
  type FieldProblem,
  fieldId,
  ids,
  labelOf,
  type OfferFormData,
  problemText,
} from './offer-form-data.ts'
import { forCustomers } from './pattern-text.ts'
import type { Offer, OwnOrder, Summary } from './resolve-offer.ts'
import { orderText } from './terms-view.tsx'
import { OfferFacts, Price, Seller } from './seller-view.tsx'
import { offerFormPath } from '../shared/stylesheet.ts'
import type { Visit } from '../shared/visit.ts'

interface OfferPageProps {
  readonly visit: Visit
  readonly hash: string
  readonly name: string
  readonly offer: Offer
  readonly summary: Summary | null
  /** The person's last one. */
  readonly order: OwnOrder | undefined
  readonly workspaces: readonly Workspace[]
  /** As chosen, or typed, before. */
  readonly workspace: string
  readonly workspaceName: string
  readonly sent: Readonly<Record<string, unknown>> | undefined
  readonly form: Problems
  readonly fields: readonly FieldProblem[]
  readonly now: number
}

export function OfferPage(props: OfferPageProps) {
  const { visit, hash, name, offer, summary, order, form, now } = props
  const { input_schema: schema, notes, package_version } = offer
  const fields = props.fields.map(problem => forCustomers(problem, schema))
  const data = formData({ ...props, fields })
  const locked = Object.keys(data.locked)
  const waiting =
    order?.state === 'awaiting_approval' || order?.state === 'awaiting_checkout' ? order : undefined
  const properties = Object.keys((schema.properties as object | undefined) ?? {})
  const asks = !waiting && properties.some(one => !locked.includes(one))
  const problems = { ...form, ...Object.fromEntries(fields.map(problem => summaryEntry(problem, schema))) }
  return (
    <Page title={name} visit={visit} failed={Object.keys(problems).length > 0} width="widest">
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
              <p class="hint">You cannot change these values.</p>
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
              {order?.state === 'completed' && (
                <p class="notice">
                  You have ordered this before: <a href={`/orders/${order.id}`}>see your order</a>. If you
                  order again, there will be another install.
                </p>
              )}
              <Form
                action={`/i/${hash}`}
                csrf={visit.csrf}
                hidden={{ [ids.values]: JSON.stringify(data.values) }}
                id={ids.form}
              >
                <WorkspaceField {...props} />
                {data.kept.length > 0 && (
                  <p class="hint long">
                    Already filled in by the seller:{' '}
                    {data.kept.map(name => labelOf(schema, [name])).join(', ')}. Leave a field empty to keep
                    the seller’s value.
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
                <p class="actions">
                  {/* The script of the fields makes it ready. */}
                  <button type="submit" class="button" disabled={asks}>
                    {orderText(offer.terms)}
                  </button>
                </p>
              </Form>
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

/** Instead of the form: a person has one order of an offer in progress. */
const OrderWaiting = ({ order: { id, state } }: { readonly order: OwnOrder }) => (
  <>
    <p>
      <StateBadge state={state} />
    </p>
    <p>You have already ordered, and your order is in progress.</p>
    <p class="actions">
      <a class="button" href={`/orders/${id}`}>
        See your order
      </a>
    </p>
  </>
)

function WorkspaceField({ workspaces, workspace, workspaceName, form, order }: OfferPageProps) {
  const [only, ...others] = workspaces
  // What they chose before, here or with an order in progress. Otherwise one they joined themselves, not one
  // an operator added them to.
  const before = workspace || (order?.state === 'open' ? order.workspace_id : '')
  const preselected = workspaces.some(({ id }) => id === before)
    ? before
    : workspaces.find(({ chosen }) => chosen)?.id
  if (!only) {
    return (
      <Field
        name="workspace_name"
        label="Workspace name"
        hint="Orders belong to a workspace, and you do not have one yet. We’ll create a workspace with this name."
        problem={form.workspace_name}
        input={{ value: workspaceName, autocomplete: 'organization', maxLength: 200 }}
      />
    )
  }
  if (others.length === 0) {
    return (
      <p>
        For your workspace <strong class="long">{only.name}</strong>
        {only.owner && (
          <>
            , owned by <span class="long">{only.owner}</span>
          </>
        )}
        .<input type="hidden" name="workspace" value={only.id} />
      </p>
    )
  }
  const problem = form.workspace
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <label for="workspace">Workspace</label>
      {problem && (
        <p class="problem" id="workspace-problem">
          {problem}
        </p>
      )}
      <select
        id="workspace"
        name="workspace"
        required
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? 'workspace-hint workspace-problem' : 'workspace-hint'}
      >
        {preselected === undefined && (
          <option value="" selected>
            Choose a workspace
          </option>
        )}
        {workspaces.map(({ id, name, owner }) => (
          <option key={id} value={id} selected={id === preselected}>
            {owner ? `${name} (owner: ${owner})` : name}
          </option>
        ))}
      </select>
      <p class="hint" id="workspace-hint">
        Your order will belong to it.
      </p>
    </div>
  )
}

function formData({ offer, sent, fields }: OfferPageProps): OfferFormData {
  const entries = Object.entries(offer.field_values)
  const valuesOf = (chosen: typeof entries) =>
    Object.fromEntries(chosen.map(([name, { value }]) => [name, value]))
  const open = entries.filter(([, { locked }]) => !locked)
  return {
    schema: offer.input_schema,
    values: sent ?? valuesOf(open.filter(([, { value }]) => !isHidden(value))),
    locked: valuesOf(entries.filter(([, { locked }]) => locked)),
    kept: open.filter(([, { value }]) => isHidden(value)).map(([name]) => name),
    problems: fields,
  }
}

const summaryEntry = ({ path, message }: FieldProblem, schema: Offer['input_schema']) => [
  path.length > 0 ? encodeURIComponent(fieldId(path)) : '',
  problemText(labelOf(schema, path), message),
]

/** JSON that ends no script and starts none (HTML, 4.12.1.3). */
const scriptJson = (data: object): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
