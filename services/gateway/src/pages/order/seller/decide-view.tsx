/** The question before a step of the seller. */
import type { Order } from '../../offer/resolve-offer.ts'
import { priceText } from '../../offer/terms-view.tsx'
import { Form, ProblemSummary } from '../../shared/form.tsx'
import { Page } from '../../shared/layout.tsx'
import type { Visit } from '../../shared/visit.ts'
import { sellerPath } from '../parties.ts'
import { type StepName, steps } from './steps.ts'

interface DecidePageProps {
  readonly visit: Visit
  readonly order: Order
  readonly step: StepName
  readonly reason?: string
  readonly problem?: string
}

export function DecidePage({ visit, order, step, reason = '', problem }: DecidePageProps) {
  const { id, name, reference, ordered_by, terms } = order
  const { question, label, look, follows } = steps[step]
  return (
    <Page title={question} visit={visit} failed={problem !== undefined}>
      <ProblemSummary problems={problem ? { reason: problem } : undefined} />
      <h1>{question}</h1>
      <p>{follows(order)}</p>
      <dl class="facts">
        <div>
          <dt>Order</dt>
          <dd>{reference}</dd>
        </div>
        <div>
          <dt>Ordered</dt>
          <dd class="long">{name}</dd>
        </div>
        <div>
          <dt>By</dt>
          <dd class="long">{ordered_by.email ?? ordered_by.id}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>{priceText(terms)}</dd>
        </div>
      </dl>
      <Form action={`/orders/${id}/decide/${step}`} csrf={visit.csrf}>
        {step === 'reject' && (
          <div class={problem ? 'field wrong' : 'field'}>
            <label for="reason">
              Reason <span class="optional">(optional)</span>
            </label>
            <p class="hint" id="reason-hint">
              The customer reads it on their page and by email. At most {mostReason} characters.
            </p>
            {problem && (
              <p class="problem" id="reason-problem">
                {problem}
              </p>
            )}
            <textarea
              id="reason"
              name="reason"
              rows={4}
              aria-invalid={problem ? 'true' : undefined}
              aria-describedby={problem ? 'reason-hint reason-problem' : 'reason-hint'}
              value={reason}
            />
          </div>
        )}
        <p class="actions">
          <button type="submit" class={look}>
            {label}
          </button>
          <a class="button second" href={sellerPath(id)}>
            Back
          </a>
        </p>
      </Form>
    </Page>
  )
}

export const mostReason = 500
