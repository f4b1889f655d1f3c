/**
 * "Publish your first offer": one form makes a package with its version, a product, its terms and the offer. Each is
 * an operation of its own, so the page checks what exists: sent again after any of them, the form makes the rest. Six
 * calls on the bus.
 */
import { offers } from '@svc/contract/offers/offers'
import { sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { readNames } from '../offers/names.ts'
import { readProvider } from '../offers/new/paid-fields.ts'
import { type OfferBody, publishOffer } from '../offers/new/publish-offer.ts'
import { type Found, firstOfferForm } from './first-offer-fields.ts'
import { FirstOfferPage } from './first-offer-view.tsx'

const one = { query: { limit: '1' } }

export function firstOfferPages({ get, post }: ConsolePages) {
  get('/start', async scene => {
    const found = await find(scene)
    return scene.show(<FirstOfferPage {...{ scene, found }} values={withNewKey(firstValues(found))} />)
  })

  post('/start', async scene => {
    const found = await find(scene)
    // Sent twice, or from another tab: the offer exists.
    if (found.offer) return scene.go('/start')
    const values = valuesOf(scene)
    const { all } = firstOfferForm(found)
    const sent = await send(all, values, (body: FirstOffer) => publish(scene, found, body, values))
    if ('done' in sent) return scene.go(`/offers/${sent.done.id}`, sent.done.notice)
    const { status, ...again } = shownAgain(values, sent.refused)
    return scene.show(<FirstOfferPage {...{ scene, ...again }} found={await find(scene)} />, status)
  })
}

async function find(scene: Scene): Promise<Found> {
  const { invoke } = scene
  const [offered, products, packages, provider] = await Promise.all([
    invoke(offers, 'list_offers', one),
    invoke(offers, 'list_products', one),
    invoke(offers, 'list_packages', one),
    readProvider(scene),
  ])
  const [product] = products.data
  const [newest] = packages.data
  const sold = product ? await invoke(offers, 'get_package', { params: { id: product.package_id } }) : newest
  const id = sold?.id
  const version =
    id === undefined
      ? undefined
      : (await invoke(offers, 'list_package_versions', { params: { id }, ...one })).data[0]
  return { package: sold, version, product, offer: offered.data[0], provider }
}

const firstValues = (found: Found): FieldValues => ({
  ...{ name: found.package?.name ?? '', version: '1.0.0', input_schema: JSON.stringify(schema, null, 2) },
  ...{ currency: 'eur', interval: 'month', approval: 'automatic', max_uses: '1' },
})

const schema = {
  type: 'object',
  properties: { company: { type: 'string', title: 'Company', minLength: 1, maxLength: 100 } },
  required: ['company'],
}

interface FirstOffer extends OfferBody {
  readonly name: string
  readonly version: string
  readonly input_schema: object
  readonly instructions?: string
}

async function publish(
  scene: Scene,
  found: Found,
  { name, version, input_schema, instructions, ...offer }: FirstOffer,
  values: FieldValues,
) {
  const { invoke } = scene
  const headers = sentKey(values)
  const { id } =
    found.package ?? (await invoke(offers, 'create_package', { headers, body: { name } as never }))
  const { id: package_version_id } =
    found.version ??
    (await invoke(offers, 'create_package_version', {
      params: { id },
      body: { version, input_schema, ...(instructions && { instructions }) } as never,
    }))
  const product = { name, package_id: id, current_package_version_id: package_version_id }
  const { id: product_id } =
    found.product ?? (await invoke(offers, 'create_product', { headers, body: product as never }))
  const { channels } = await readNames(scene)
  // A manual payment takes longer than two hours.
  const body = { ...offer, product_id, package_version_id, order_ttl_minutes: 1440 }
  return publishOffer(scene, body, channels, values)
}
