import { isHidden } from '@svc/contract/core/sealed-value'
import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import { shownAgain, withNewKey } from '../../../kit/forms/creation-key.ts'
import type { FieldValues } from '../../../kit/forms/field-spec.ts'
import { labelOf } from '../../../kit/offers/offer-form-data.ts'
import type { Problems } from '../../../kit/forms/form-fields.ts'
import { typedAmount } from '../../../kit/forms/money.ts'
import { send, valuesOf } from '../../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../../shell/scene.ts'
import type { Answer } from '../../ui/answers.ts'
import { readNames } from '../names.ts'
import { carriedOver } from './carried-values.ts'
import { ChoosePage } from './choose-view.tsx'
import { type Chosen, idsOf, readChosen, seenOf } from './choices.ts'
import { NewOfferPage } from './new-offer-view.tsx'
import { formOf, type OfferForm } from './offer-form.ts'
import { type OfferBody, publishOffer } from './publish-offer.ts'
import { isEntered, typedValues } from './schema-fields.ts'

export function newOfferPages({ get, post }: ConsolePages) {
  get('/offers/new', async scene => {
    const from = scene.query.get('from')
    if (from) return duplicate(scene, from)
    const ids = idsOf(scene.query)
    const names = await readNames(scene)
    if (Object.keys(ids).length === 0) return scene.show(<ChoosePage scene={scene} names={names} />)
    const chosen = await readChosen(scene, ids, names)
    if (!chosen) return scene.show(<ChoosePage scene={scene} names={names} lacksVersion />)
    return scene.show(
      <NewOfferPage scene={scene} chosen={chosen} form={formOf(chosen)} values={fresh(chosen)} />,
    )
  })

  post(
    '/offers/new',
    async scene => {
      const names = await readNames(scene)
      const chosen = await readChosen(scene, idsOf(scene.query), names)
      if (!chosen) return scene.show(<ChoosePage scene={scene} names={names} lacksVersion />, 422)
      const form = formOf(chosen)
      const values = valuesOf(scene)
      const again = (values: FieldValues, problems: Problems, status: number) =>
        scene.show(<NewOfferPage {...{ scene, chosen, form, values, problems }} />, status)
      if (values.seen && values.seen !== seenOf(chosen)) {
        const carried = carriedOver(values, form, chosen)
        return again(carried.values, changedMeanwhile(carried.lost), 409)
      }
      const bare = bareLocks(form, values)
      if (bare) return again(values, bare, 422)
      const sent = await send(
        form.all,
        values,
        (body: OfferBody) => publishOffer(scene, body, names.channels, values),
        chosen.ids,
      )
      if ('done' in sent) return scene.go(`/offers/${sent.done.id}`, sent.done.notice)
      const shown = shownAgain(values, sent.refused)
      return again(shown.values, shown.problems, shown.status)
    },
    { hasSecrets: true },
  )
}

const changedMeanwhile = (lost: readonly string[]): Problems => ({
  '': [
    'The version or the terms changed while you were editing.',
    lost.length > 0 && `These values don’t fit any more and were cleared: ${lost.join(', ')}.`,
    'Review the form and publish again.',
  ]
    .filter(Boolean)
    .join(' '),
})

function bareLocks({ schema }: OfferForm, values: FieldValues): Problems | undefined {
  const bare = (schema ?? []).filter(field => values[field.lock.name] === 'on' && !isEntered(field, values))
  if (bare.length === 0) return undefined
  return Object.fromEntries(
    bare.map(({ lock }) => [lock.name, 'Enter a value to lock, or clear the checkbox.']),
  )
}

const fresh = ({ policy }: Chosen): FieldValues =>
  withNewKey({
    ...priceLike(policy?.policy.pricing),
    max_uses: '1',
    approval: 'automatic',
    // A manual payment or approval takes longer than two hours.
    order_ttl_minutes: policy && !isSlow(policy.policy) ? '120' : '1440',
    commercial_mode: policy?.policy.default_commercial_mode ?? '',
  })

/** Initial currency and interval: those of the price that an offer without its own price gets. */
function priceLike(pricing: ChannelPolicy['pricing'] | undefined): FieldValues {
  if (pricing?.kind !== 'range') return { currency: 'eur', interval: 'month' }
  const { currency, interval } = pricing.default_price
  return { currency, interval }
}

const isSlow = ({ approval, checkout }: { approval: string; checkout: string }) =>
  approval === 'manual' || checkout === 'required'

async function duplicate(scene: Scene, from: string) {
  const [offer, names] = await Promise.all([
    scene.invoke(offers, 'get_offer', { params: { id: from } }),
    readNames(scene),
  ])
  const { product_id, offer_channel_id, package_version_id } = offer
  const ids = {
    ...(product_id && { product_id }),
    ...(offer_channel_id && { offer_channel_id }),
    package_version_id,
  }
  const chosen = await readChosen(scene, ids, names)
  if (!chosen) return scene.show(<ChoosePage scene={scene} names={names} lacksVersion />)
  const form = formOf(chosen)
  const values = { ...fresh(chosen), ...valuesLike(offer, form) }
  const lost = notCarried(offer, form, values).map(name => labelOf(chosen.version.input_schema, [name]))
  if (form.paid && offer.terms.commercial_mode === 'non_billable_test') lost.push('Test, not charged')
  return scene.show(
    <NewOfferPage scene={scene} chosen={chosen} form={form} values={values} isCopy lost={lost} />,
  )
}

function valuesLike(offer: Answer<'get_offer'>, form: OfferForm): FieldValues {
  const { pricing_request: price, customer, seats } = offer
  const values: Record<string, string> = {
    allowed_emails: offer.allowed_emails.join('\n'),
    customer_name: customer?.display_name ?? '',
    customer_id: customer?.external_id ?? '',
    notes: offer.notes ?? '',
    internal_note: offer.internal_note ?? '',
    max_uses: seats.max_uses === null ? '' : `${seats.max_uses}`,
    order_ttl_minutes: `${offer.order_ttl_minutes}`,
    allow_api_tokens: offer.allow_api_tokens ? 'on' : '',
    ...(offer.commercial_mode && { commercial_mode: offer.commercial_mode }),
    paid: price?.unit_amount ? 'outside' : 'free',
    ...(price && {
      unit_amount: typedAmount(price.unit_amount),
      currency: price.currency,
      interval: price.interval,
    }),
  }
  for (const field of form.schema ?? []) {
    const { property, lock } = field
    const kept = Object.hasOwn(offer.field_values, property) ? offer.field_values[property] : undefined
    const typed = kept && !isHidden(kept.value) ? typedValues(field, kept.value) : undefined
    if (!kept || !typed) continue
    Object.assign(values, typed)
    if (kept.locked) values[lock.name] = 'on'
  }
  return values
}

const notCarried = (offer: Answer<'get_offer'>, { schema }: OfferForm, values: FieldValues): string[] =>
  Object.keys(offer.field_values).filter(
    property => !schema?.some(field => field.property === property && isEntered(field, values)),
  )
