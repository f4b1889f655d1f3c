/** An offer as its seller sees it. Six calls of the bus, in two rounds. */
import { offers } from '@svc/contract/offers/offers'
import type { ConsolePages } from '../shell/scene.ts'
import { readNames } from './names.ts'
import { OfferPage } from './offer-view.tsx'

/** Orders and installs on the page itself. */
const few = '10'

export function offerDetail({ get }: ConsolePages) {
  get('/offers/:id', async scene => {
    const id = scene.params.id ?? ''
    const [offer, orders, installs, names] = await Promise.all([
      scene.invoke(offers, 'get_offer', { params: { id } }),
      scene.invoke(offers, 'list_orders', { query: { relation: 'received', offer_id: id, limit: few } }),
      scene.invoke(offers, 'list_installs', { query: { relation: 'sold', offer_id: id, limit: few } }),
      readNames(scene),
    ])
    const version = await scene.invoke(offers, 'get_package_version', {
      params: { id: offer.package_version_id },
    })
    return scene.show(<OfferPage scene={scene} sale={{ offer, version, orders, installs, names }} />)
  })
}
