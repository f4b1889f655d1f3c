import { offers } from '@svc/contract/offers/offers'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { formField } from '../../kit/forms/schema-fields.ts'
import { type Refused, send, valuesOf } from '../../kit/forms/submitted.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import type { Order } from '../../kit/orders/order.ts'
import { Fact } from '../../kit/ui/parts.tsx'
import { callOf } from '../forms/call-of.ts'
import { FormPage } from '../forms/form-page.tsx'
import type { ConsolePages, Handler, Scene } from '../shell/scene.ts'
import { permits, type StepName, stepNames, steps } from './steps.ts'

interface OrderPages {
  readReceived(scene: Scene): Promise<Order>
  showOrder(scene: Scene, order: Order, late?: StepName): ReturnType<Handler>
}

const reasonField = formField(offers.operations.reject_order, {
  name: 'reason',
  label: 'Reason',
  kind: 'textarea',
  hint: ({ maxLength }) =>
    `The customer sees this on their order and by email. Up to ${maxLength} characters.`,
})

const fieldsOf = (step: StepName) => (step === 'reject' ? [reasonField] : [])

export function decisionPages({ get, post }: ConsolePages, { readReceived, showOrder }: OrderPages) {
  for (const step of stepNames) {
    const { path, operation, isPossible } = steps[step]
    get(`/orders/:id/${path}`, async scene => {
      const order = await readReceived(scene)
      // The order's page shows what it waits for, and who may take the step.
      if (!isPossible(order) || !permits(step, scene.member)) return scene.go(`/orders/${order.id}`)
      return scene.show(<DecidePage scene={scene} order={order} step={step} values={{}} />)
    })

    post(`/orders/:id/${path}`, async scene => {
      const { id } = await readReceived(scene)
      const values = valuesOf(scene)
      const take = (body: object) =>
        scene
          .invoke(offers, operation as 'reject_order', { params: { id }, ...(step === 'reject' && { body }) })
          .catch(error => {
            if (!isRefusedAs(error, 'wrong_state', 'paid_elsewhere')) throw error
          })
      const sent = await send(fieldsOf(step), values, take)
      if ('done' in sent && sent.done) return scene.go(`/orders/${id}`)
      const order = await readReceived(scene)
      if ('done' in sent) return showOrder(scene, order, step)
      const { refused } = sent
      const page = <DecidePage scene={scene} order={order} step={step} values={values} refused={refused} />
      return scene.show(page, refused.status)
    })
  }
}

interface DecidePageProps {
  readonly scene: Scene
  readonly order: Order
  readonly step: StepName
  readonly values: FieldValues
  readonly refused?: Refused
}

function DecidePage({ scene, order, step, values, refused }: DecidePageProps) {
  const { id, name, reference, ordered_by, terms } = order
  const { path, question, label, isDangerous, follows, operation } = steps[step]
  const fields = fieldsOf(step)
  return (
    <FormPage
      scene={scene}
      part="/orders"
      crumbs={[
        { label: 'Orders', path: '/orders' },
        { label: reference, path: `/orders/${id}` },
      ]}
      title={question}
      text={follows(order)}
      action={`/orders/${id}/${path}`}
      back={`/orders/${id}`}
      backLabel="Back"
      button={label}
      isDangerous={isDangerous}
      fields={fields}
      values={values}
      problems={refused?.problems}
      call={callOf(scene, offers.operations[operation], {
        params: { id },
        fields,
      })}
    >
      <dl class="facts">
        <Fact label="Order">{reference}</Fact>
        <Fact label="Product">{name}</Fact>
        <Fact label="Ordered by">{ordered_by.email ?? ordered_by.id}</Fact>
        <Fact label="Price">{priceText(terms)}</Fact>
      </dl>
    </FormPage>
  )
}
