import type { Price } from '@svc/contract/offers/channel-policy'
import { offers } from '@svc/contract/offers/offers'
import type { FieldValues } from '../../../kit/forms/field-spec.ts'
import { sentKey } from '../../../kit/forms/creation-key.ts'
import type { Scene } from '../../shell/scene.ts'
import type { Names } from '../names.ts'
import { needsTerms, ownTerms } from './own-terms.ts'
import type { Answers } from './paid-fields.ts'

export interface OfferBody {
  readonly product_id?: string
  readonly pricing_request?: Price
  /** Absent: the offer has the terms of its channel. */
  readonly policy?: Answers
}

/** Each call finds what an earlier attempt has made, so the form can be sent again after any of them. */
export async function publishOffer(
  scene: Scene,
  { policy: answers, ...body }: OfferBody,
  channels: Names['channels'],
  values: FieldValues,
) {
  const { product_id = '', pricing_request: price } = body
  const headers = sentKey(values)
  const terms =
    answers && needsTerms(answers)
      ? await ownTerms(scene, { product_id, answers, price, channels, key: headers['idempotency-key'] })
      : undefined
  const ids = terms && { offer_channel_id: terms.id }
  const { id } = await scene.invoke(offers, 'create_offer', { headers, body: { ...body, ...ids } as never })
  return { id, notice: terms ? (terms.isNew ? 'saved-terms' : 'reused-terms') : 'published' }
}
