import { codes } from '@svc/contract/core/error-codes'
import { offers } from '@svc/contract/offers/offers'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { beganWith, changedFields, send, valuesOf } from '../../kit/forms/submitted.ts'
import { callOf } from '../forms/call-of.ts'
import { FormPage } from '../forms/form-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { correctionFields as fields, customerFields } from './new/offer-fields.ts'

type Offer = Answer<'get_offer'>

export function editOfferPages({ get, post }: ConsolePages) {
  get('/offers/:id/edit', async scene => {
    const offer = await read(scene)
    if (offer.state === 'revoked') return scene.go(`/offers/${offer.id}`)
    return scene.show(editPage(scene, offer.etag, valuesLike(offer)))
  })

  post('/offers/:id/edit', async scene => {
    const values = valuesOf(scene)
    const { etag = '' } = values
    const params = { id: scene.params.id ?? '' }
    const changed = withWholeCustomer(changedFields(fields, values))
    if (changed.length === 0) {
      await read(scene)
      return scene.go(`/offers/${params.id}`, 'saved')
    }
    const noCustomer = customerFields.every(field => changed.includes(field) && !values[field.name])
    const sent = await send(changed, values, (body: object) =>
      scene.invoke(offers, 'update_offer', {
        params,
        headers: { 'if-match': etag },
        body: noCustomer ? { ...body, customer: null } : body,
      }),
    )
    if ('done' in sent) return scene.go(`/offers/${params.id}`, 'saved')
    const { problems, status, code } = sent.refused
    if (code === codes.offer_changed[0]) return showConflict(scene, values)
    if (status < 500) await read(scene)
    return scene.show(editPage(scene, etag, values, problems), status)
  })
}

/** @throws ApiError `NotFound` for an offer of another workspace */
const read = ({ invoke, params: { id = '' } }: Scene) => invoke(offers, 'get_offer', { params: { id } })

/** The operation replaces the customer as a whole. */
const withWholeCustomer = (changed: readonly FieldSpec[]): readonly FieldSpec[] =>
  changed.some(field => customerFields.includes(field))
    ? fields.filter(field => changed.includes(field) || customerFields.includes(field))
    : changed

const valuesLike = ({
  seats,
  expires_at,
  allowed_emails,
  customer,
  notes,
  internal_note,
}: Offer): FieldValues => ({
  max_uses: `${seats.max_uses ?? ''}`,
  expires_at: expires_at === null ? '' : new Date(expires_at * 1000).toISOString().slice(0, 16),
  allowed_emails: allowed_emails.join('\n'),
  customer_name: customer?.display_name ?? '',
  customer_id: customer?.external_id ?? '',
  notes: notes ?? '',
  internal_note: internal_note ?? '',
})

/** Shows what is there now, with this person's changes to it. */
async function showConflict(scene: Scene, values: FieldValues) {
  const offer = await read(scene)
  const now = valuesLike(offer)
  const changed = new Set(changedFields(fields, values).map(({ name }) => name))
  const theirs = fields.filter(({ name }) => now[name] !== values[`was.${name}`]).map(({ label }) => label)
  const mine = Object.fromEntries(
    fields.map(({ name }) => [name, (changed.has(name) ? values[name] : now[name]) ?? '']),
  )
  const was = Object.fromEntries(fields.map(({ name }) => [`was.${name}`, now[name] ?? '']))
  const message = `Someone else changed this offer while you were editing (${theirs.join(', ')}). Nothing was saved. Save again to apply your changes to theirs.`
  return scene.show(editPage(scene, offer.etag, { ...was, ...mine }, { '': message }), 409)
}

function editPage(
  scene: Scene,
  etag: string,
  values: FieldValues,
  problems?: Readonly<Record<string, string>>,
) {
  const { id = '' } = scene.params
  const path = `/offers/${id}`
  return (
    <FormPage
      scene={scene}
      title="Edit offer"
      part="/offers"
      crumbs={[
        { label: 'Offers', path: '/offers' },
        { label: id, path },
      ]}
      action={`${path}/edit`}
      hidden={{ etag, ...beganWith(fields, values) }}
      call={callOf(scene, offers.operations.update_offer, {
        params: { id },
        headers: { 'If-Match': etag },
        fields,
        args: ['--etag', etag],
      })}
      {...{ fields, values, problems }}
      button="Save"
      back={path}
    />
  )
}
