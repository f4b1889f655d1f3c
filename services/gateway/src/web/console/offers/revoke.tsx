import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { attempt } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { counted } from '../../kit/ui/words.ts'

export function revokeOfferPages({ get, post }: ConsolePages) {
  get('/offers/:id/revoke', async scene => {
    const offer = await scene.invoke(offers, 'get_offer', { params: { id: scene.params.id ?? '' } })
    if (offer.state === 'revoked') return scene.go(`/offers/${offer.id}`)
    return scene.show(<RevokePage scene={scene} offer={offer} />)
  })

  post('/offers/:id/revoke', async scene => {
    const params = { id: scene.params.id ?? '' }
    const sent = await attempt([], () => scene.invoke(offers, 'revoke_offer', { params }))
    if ('done' in sent) return scene.go(`/offers/${params.id}`, 'revoked')
    const offer = await scene.invoke(offers, 'get_offer', { params })
    const page = <RevokePage scene={scene} offer={offer} problem={sent.refused.problems['']} />
    return scene.show(page, sent.refused.status)
  })
}

interface RevokePageProps {
  readonly scene: Scene
  readonly offer: Answer<'get_offer'>
  readonly problem?: string | undefined
}

function RevokePage({ scene, offer, problem }: RevokePageProps) {
  const { id, seats } = offer
  return (
    <ConfirmPage
      scene={scene}
      part="/offers"
      crumbs={[
        { label: 'Offers', path: '/offers' },
        { label: id, path: `/offers/${id}` },
      ]}
      question="Revoke this offer?"
      consequence={
        <ul>
          <li>The link stops accepting orders immediately. This can’t be undone.</li>
          <li>
            {seats.reserved > 0
              ? `${counted(seats.reserved, 'open order')} will be cancelled and the ${seats.reserved === 1 ? 'customer' : 'customers'} notified.${offer.terms.checkout === 'required' ? ' Refund any bank transfers you’ve already received; late Stripe payments are refunded automatically.' : ''}`
              : 'There are no open orders.'}
          </li>
          <li>Completed orders and their installs aren’t affected.</li>
        </ul>
      }
      button="Revoke offer"
      action={`/offers/${id}/revoke`}
      back={`/offers/${id}`}
      problem={problem}
      call={callOf(scene, offers.operations.revoke_offer, {
        params: { id },
      })}
    />
  )
}
