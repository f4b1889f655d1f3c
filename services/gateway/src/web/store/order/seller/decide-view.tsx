/** The question before a step of the seller. */
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../../../console/forms/call-of.ts'
import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import { CommandLines } from '../../../console/forms/command-lines-view.tsx'
import { Fields } from '../../../kit/forms/fields.tsx'
import { ConsolePage } from '../../../console/shell/console-page.tsx'
import type { Scene } from '../../../console/shell/scene.ts'
import { Card, Fact } from '../../../kit/ui/parts.tsx'
import type { Order } from '../../offer/resolve-offer.ts'
import { priceText } from '../../../kit/offers/terms-view.tsx'
import { Form, ProblemSummary } from '../../../kit/forms/form.tsx'
import { sellerPath } from '../parties.ts'
import { type StepName, steps } from './steps.ts'

interface DecidePageProps {
  readonly scene: Scene
  readonly order: Order
  readonly step: StepName
  readonly reason?: string
  readonly problem?: string
}

export const mostReason = 500

const reasonField: FieldSpec = {
  name: 'reason',
  label: 'Reason',
  kind: 'textarea',
  isOptional: true,
  flag: '--reason',
  hint: `The customer sees this on their order and by email. Up to ${mostReason} characters.`,
}

export function DecidePage({ scene, order, step, reason = '', problem }: DecidePageProps) {
  const { id, name, reference, ordered_by, terms } = order
  const { question, label, look, follows, operation } = steps[step]
  const fields = step === 'reject' ? [reasonField] : []
  const problems = problem ? { reason: problem } : undefined
  return (
    <ConsolePage
      scene={scene}
      title={question}
      part="/orders"
      crumbs={[
        { label: 'Orders', path: '/orders' },
        { label: reference, path: `/orders/${id}` },
      ]}
      failed={problem !== undefined}
    >
      <ProblemSummary problems={problems} />
      <h1>{question}</h1>
      <Card name="decision">
        <p>{follows(order)}</p>
        <dl class="facts">
          <Fact label="Order">{reference}</Fact>
          <Fact label="Product">{name}</Fact>
          <Fact label="Ordered by">{ordered_by.email ?? ordered_by.id}</Fact>
          <Fact label="Price">{priceText(terms)}</Fact>
        </dl>
        <Form action={`/orders/${id}/decide/${step}`} csrf={scene.visit.csrf} id="call">
          <Fields fields={fields} values={{ reason }} problems={problems} />
          <p class="actions">
            <button type="submit" class={look}>
              {label}
            </button>
            <a class="button second" href={sellerPath(id)}>
              Back
            </a>
          </p>
        </Form>
      </Card>
      <CommandLines
        form="call"
        values={{ reason }}
        call={callOf(scene, offers.operations[operation], {
          params: { id },
          fields,
          svc: commands[step],
          args: [id],
        })}
      />
    </ConsolePage>
  )
}

const commands: Readonly<Record<StepName, string>> = {
  approve: 'orders approve',
  reject: 'orders reject',
  confirm_payment: 'orders confirm-payment',
  cancel: 'orders cancel',
}
