import type { ComponentChildren } from 'preact'
import { offers } from '@svc/contract/offers/offers'
import { refusal } from '@svc/contract/core/errors'
import { valuesOf } from '../../kit/forms/submitted.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { Action, Badge, Card, Fact } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { callOf } from '../forms/call-of.ts'
import { FormPage } from '../forms/form-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'

type Install = Answer<'get_install'>
type Subscription = NonNullable<Install['subscription']>

const isNeverEnding = ({ cancel_at }: Subscription) => cancel_at === null

const steps = [
  {
    path: 'confirm-payment',
    operation: 'confirm_subscription_payment',
    question: 'Confirm the payment of another period?',
    button: 'Confirm payment',
    consequence: 'Continue only if you have received the payment. This can’t be undone.',
    isPossible: (of: Subscription, isSeller: boolean) =>
      isSeller && of.provider === 'manual' && isNeverEnding(of),
  },
  {
    path: 'cancel-subscription',
    operation: 'cancel_subscription',
    question: 'Cancel this subscription?',
    button: 'Cancel subscription',
    consequence:
      'What is paid for can be used until the end of the period. Nothing is paid back. You can resume until then.',
    isPossible: isNeverEnding,
  },
  {
    path: 'resume-subscription',
    operation: 'resume_subscription',
    question: 'Resume this subscription?',
    button: 'Resume subscription',
    consequence: 'It is no longer cancelled, and the next period is to be paid.',
    isPossible: (of: Subscription) => !isNeverEnding(of),
  },
] as const

type Step = (typeof steps)[number]

const isPossible = (step: Step, { workspace }: Scene, { subscription, seller_workspace_id }: Install) =>
  subscription !== null &&
  subscription.state !== 'ended' &&
  step.isPossible(subscription, seller_workspace_id === workspace.id)

export function subscriptionPages({ get, post }: ConsolePages) {
  for (const step of steps) {
    const { path, operation, question, button, consequence } = step
    const definition = offers.operations[operation]
    const isPayment = operation === 'confirm_subscription_payment'
    get(`/installs/:id/${path}`, async scene => {
      const install = await read(scene)
      if (!scene.may(definition)) throw refusal('role_too_low')
      const { id, subscription } = install
      if (!subscription || !isPossible(step, scene, install)) return scene.go(`/installs/${id}`)
      const after = subscription.paid_through
      return scene.show(
        <FormPage
          scene={scene}
          part="/installs"
          crumbs={[
            { label: 'Installs', path: '/installs' },
            { label: id, path: `/installs/${id}` },
          ]}
          title={question}
          text={consequence}
          isDangerous={operation === 'cancel_subscription'}
          fields={[]}
          values={{}}
          button={button}
          action={`/installs/${id}/${path}`}
          hidden={isPayment ? { after: `${after ?? ''}` } : {}}
          back={`/installs/${id}`}
          backLabel="Back"
          call={callOf(scene, definition, { params: { id }, ...(isPayment && { fixed: { after } }) })}
        >
          <SubscriptionFacts scene={scene} subscription={subscription} />
        </FormPage>,
      )
    })

    post(`/installs/:id/${path}`, async scene => {
      const { id = '' } = scene.params
      const { after } = valuesOf(scene)
      const body = isPayment ? { after: after ? Number(after) : null } : {}
      await scene.invoke(offers, operation, { params: { id }, body } as never)
      return scene.go(`/installs/${id}`, 'saved')
    })
  }
}

const read = (scene: Scene) => scene.invoke(offers, 'get_install', { params: { id: scene.params.id ?? '' } })

const looks = {
  active: ['good', 'Active'],
  past_due: ['waits', 'Past due'],
  lapsed: ['bad', 'Lapsed'],
  ended: ['quiet', 'Ended'],
} as const

const reasons: Readonly<Record<NonNullable<Subscription['end_reason']>, string>> = {
  cancelled: 'It was cancelled.',
  payment_failed: 'The payment failed.',
  payment_disputed: 'A payment was disputed.',
  removed: 'The install was removed.',
}

const problems: Readonly<Record<NonNullable<Subscription['problem']>, string>> = {
  price_changed: 'Stripe has another price than the terms of the offer.',
  unreadable: 'Stripe’s last answer could not be read. This is the last known state.',
  unknown_to_stripe: 'Stripe does not know this subscription. This is the last known state.',
}

export const SubscriptionBadge = ({ state }: Pick<Subscription, 'state'>) => {
  const [look, label] = looks[state]
  return <Badge look={look}>{label}</Badge>
}

interface SubscriptionCardProps {
  readonly scene: Scene
  readonly install: Install
  readonly terms: Answer<'get_order'>['terms']
}

export function SubscriptionCard({ scene, install, terms }: SubscriptionCardProps) {
  const { subscription, id, workspace_id } = install
  if (!subscription) return null
  const { state, provider, problem } = subscription
  const path = `${scene.root}/installs/${id}`
  const possible = steps.filter(
    step => scene.may(offers.operations[step.operation]) && isPossible(step, scene, install),
  )
  const hasPortal =
    workspace_id === scene.workspace.id &&
    provider === 'stripe' &&
    state !== 'ended' &&
    scene.may(offers.operations.create_billing_portal)
  return (
    <Card name="subscription" title="Subscription">
      {problem && <p class="warning">{problems[problem]}</p>}
      <SubscriptionFacts scene={scene} subscription={subscription}>
        <Fact label="Price">{priceText(terms)}</Fact>
      </SubscriptionFacts>
      {(hasPortal || possible.length > 0) && (
        <p class="actions">
          {hasPortal && <Action href={`${path}/billing-portal`}>Payment method</Action>}
          {possible.map(step => (
            <Action key={step.path} href={`${path}/${step.path}`}>
              {step.button}
            </Action>
          ))}
        </p>
      )}
    </Card>
  )
}

interface SubscriptionFactsProps {
  readonly scene: Scene
  readonly subscription: Subscription
  readonly children?: ComponentChildren
}

export function SubscriptionFacts({ scene, subscription, children }: SubscriptionFactsProps) {
  const { state, provider, paid_through, grace_until, cancel_at, ended_at, end_reason } = subscription
  return (
    <dl class="facts">
      <Fact label="State">
        <SubscriptionBadge state={state} />
      </Fact>
      {children}
      <Fact label="Payments">{provider === 'stripe' ? 'Stripe' : 'Confirmed by the seller'}</Fact>
      <Fact label="Paid until">
        <When at={paid_through} now={scene.now} none="Not known" />
      </Fact>
      {state === 'past_due' && (
        <Fact label="Works until">
          <When at={grace_until} now={scene.now} />
        </Fact>
      )}
      {state !== 'ended' && cancel_at !== null && (
        <Fact label="Ends">
          <When at={cancel_at} now={scene.now} />
        </Fact>
      )}
      {state === 'ended' && (
        <Fact label="Ended">
          <When at={ended_at} now={scene.now} /> {end_reason && reasons[end_reason]}
        </Fact>
      )}
    </dl>
  )
}
