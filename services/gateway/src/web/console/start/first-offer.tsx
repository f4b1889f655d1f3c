/**
 * "Publish your first offer" in four steps: a package with its version, a product, its price, the offer. Each step
 * is an operation of its own, so anyone who stops in between can continue: the page checks what exists. Five calls
 * on the bus.
 */
import { offers } from '@svc/contract/offers/offers'
import { sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { fieldsOf } from './first-offer-fields.ts'
import type { Found, Step } from './first-offer-steps.ts'
import { FirstOfferPage } from './first-offer-view.tsx'

const one = { query: { limit: '1' } }

export function firstOfferPages({ get, post }: ConsolePages) {
  get('/start', async scene => {
    const found = await find(scene)
    const step = stepOf(found)
    return scene.show(
      <FirstOfferPage {...{ scene, found, step }} values={withNewKey(firstValues(step, found))} />,
    )
  })

  post('/start', async scene => {
    const found = await find(scene)
    const step = stepOf(found)
    const values = valuesOf(scene)
    // Sent twice, or from another tab: the object exists, and the next step is shown.
    if (step === undefined || values.step !== step) return scene.go('/start')
    const sent = await send(fieldsOf[step], values, body => take(scene, step, found, body, sentKey(values)))
    if ('refused' in sent) {
      const { status, ...again } = shownAgain(values, sent.refused)
      return scene.show(<FirstOfferPage {...{ scene, found, step, ...again }} />, status)
    }
    return step === 'offer' ? scene.go(`/offers/${sent.done.id}`, 'published') : scene.go('/start')
  })
}

async function find({ invoke }: Scene): Promise<Found> {
  const [offered, products, packages] = await Promise.all([
    invoke(offers, 'list_offers', one),
    invoke(offers, 'list_products', one),
    invoke(offers, 'list_packages', one),
  ])
  const [product] = products.data
  const [newest] = packages.data
  const sold = product ? await invoke(offers, 'get_package', { params: { id: product.package_id } }) : newest
  const id = sold?.id
  const version =
    id === undefined
      ? undefined
      : (await invoke(offers, 'list_package_versions', { params: { id }, ...one })).data[0]
  return { package: sold, version, product, offer: offered.data[0] }
}

const stepOf = (found: Found): Step | undefined => {
  if (found.offer) return undefined
  if (!found.package) return 'package'
  if (!found.version) return 'version'
  return found.product ? 'offer' : 'product'
}

function firstValues(step: Step | undefined, found: Found): FieldValues {
  if (step === 'version') return { version: '1.0.0', input_schema: JSON.stringify(schema, null, 2) }
  if (step === 'product') return { name: found.package?.name ?? '' }
  return { currency: 'eur', interval: 'month', max_uses: '1' }
}

const schema = {
  type: 'object',
  properties: { company: { type: 'string', title: 'Company', minLength: 1, maxLength: 100 } },
  required: ['company'],
}

async function take(
  { invoke }: Scene,
  step: Step,
  found: Found,
  body: object,
  headers: ReturnType<typeof sentKey>,
): Promise<{ readonly id: string }> {
  const version = found.version?.id ?? ''
  switch (step) {
    case 'package':
      return invoke(offers, 'create_package', { headers, body: body as never })
    case 'version':
      return invoke(offers, 'create_package_version', {
        params: { id: found.package?.id ?? '' },
        body: body as never,
      })
    case 'product': {
      const of = { package_id: found.package?.id, current_package_version_id: version }
      return invoke(offers, 'create_product', { headers, body: { ...body, ...of } as never })
    }
    case 'offer': {
      // A manual payment takes longer than two hours.
      const of = { product_id: found.product?.id, package_version_id: version, order_ttl_minutes: 1440 }
      return invoke(offers, 'create_offer', { headers, body: { ...body, ...of } as never })
    }
  }
}
