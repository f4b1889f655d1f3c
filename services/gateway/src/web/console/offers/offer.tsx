/** Seven calls on the bus, in two rounds; one more for the package of an offer without a product. */
import { activity } from '@svc/contract/activity/activity'
import { offers } from '@svc/contract/offers/offers'
import { orUnknown } from '../../kit/forms/refused-as.ts'
import type { ConsolePages } from '../shell/scene.ts'
import { readNames, soldText } from './names.ts'
import { OfferPage } from './offer-view.tsx'

const few = '10'

export function offerDetail({ get }: ConsolePages) {
  get('/offers/:id', async scene => {
    const id = scene.params.id ?? ''
    const [offer, orders, installs, names, made] = await Promise.all([
      scene.invoke(offers, 'get_offer', { params: { id } }),
      scene.invoke(offers, 'list_orders', { query: { relation: 'received', offer_id: id, limit: few } }),
      scene.invoke(offers, 'list_installs', { query: { relation: 'sold', offer_id: id, limit: few } }),
      readNames(scene),
      // The offer has only its creator's id; the event has the name.
      orUnknown(
        scene.invoke(activity, 'list_events', {
          query: { aggregate: id, type: 'offers.created', limit: '1' },
        }),
      ),
    ])
    const version = await scene.invoke(offers, 'get_package_version', {
      params: { id: offer.package_version_id },
    })
    const { name: packageName } =
      offer.product_id === null
        ? await scene.invoke(offers, 'get_package', { params: { id: version.package_id } })
        : { name: '' }
    const title = packageName ? `${packageName} ${version.version}` : soldText(offer, names)
    const sale = { title, offer, version, orders, installs, names, maker: made?.data[0]?.actor?.name }
    return scene.show(<OfferPage scene={scene} sale={sale} />)
  })
}
