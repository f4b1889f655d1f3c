import { folded } from '@svc/contract/core/folded'
import { ConsolePage } from '../../shell/console-page.tsx'
import type { Scene } from '../../shell/scene.ts'
import { Icon } from '../../../kit/ui/icon.tsx'
import { Card, Empty, PageHead } from '../../../kit/ui/parts.tsx'
import type { Names } from '../names.ts'

interface ChooseProps {
  readonly scene: Scene
  readonly names: Names
  readonly lacksVersion?: boolean
}

export function ChoosePage({ scene, names, lacksVersion }: ChooseProps) {
  const { root } = scene
  const address = (ids: Record<string, string>) => `${root}/offers/new?${new URLSearchParams(ids)}`
  const wanted = scene.query.get('q')?.trim() ?? ''
  const found = productsNamed(wanted, names)
  const shown = found.slice(0, maxShown)
  return (
    <ConsolePage
      scene={scene}
      title="New offer"
      part="/offers"
      crumbs={[{ label: 'Offers', path: '/offers' }]}
    >
      <PageHead title="New offer" text="What do you want to offer?" />
      {lacksVersion && (
        <p class="warning">This product has no current version. Set one on the product page first.</p>
      )}
      {names.products.length === 0 ? (
        <Card name="none">
          <Empty
            icon="book"
            title="No products yet"
            action={{ href: `${root}/start`, label: 'Publish your first offer' }}
          >
            Create a product before you make an offer.
          </Empty>
        </Card>
      ) : (
        <>
          {names.products.length > maxShown && <Find scene={scene} wanted={wanted} count={found.length} />}
          <div class="two">
            {shown.map(product => (
              <Card key={product.id} name={product.id} title={product.name}>
                <ul class="choices">
                  <li>
                    <Icon name="arrowRight" />
                    <div>
                      <a href={address({ product_id: product.id })}>New offer</a>
                      <p class="hint">Say how you are paid</p>
                    </div>
                  </li>
                  {names.channels
                    .filter(({ product_id, status }) => product_id === product.id && status === 'active')
                    .map(channel => (
                      <li key={channel.id}>
                        <Icon name="tag" />
                        <div>
                          <a href={address({ product_id: product.id, offer_channel_id: channel.id })}>
                            {channel.name}
                          </a>
                          <p class="hint">
                            {channel.active_policy === null
                              ? 'Saved terms that say nothing yet'
                              : 'With these saved terms'}
                          </p>
                        </div>
                      </li>
                    ))}
                </ul>
              </Card>
            ))}
          </div>
        </>
      )}
      <p class="hint">
        Need a specific version? Open it in the <a href={`${root}/catalogue`}>catalogue</a>.
      </p>
    </ConsolePage>
  )
}

const maxShown = 50

function productsNamed(wanted: string, { products }: Names) {
  const part = folded(wanted)
  return products.filter(({ id, name }) => folded(name).includes(part) || id === wanted)
}

interface FindProps {
  readonly scene: Scene
  readonly wanted: string
  readonly count: number
}

const Find = ({ scene, wanted, count }: FindProps) => (
  <form class="filters" method="get" action={`${scene.root}/offers/new`}>
    <div class="field">
      <label for="q">Product</label>
      <input id="q" name="q" type="search" value={wanted} autocomplete="off" aria-describedby="q-hint" />
      <p class="hint" id="q-hint">
        {count > maxShown
          ? `Showing the newest ${maxShown} of ${count.toLocaleString('en')}. Search by name to find others.`
          : `${count} found.`}
      </p>
    </div>
    <button type="submit" class="button second">
      Find
    </button>
  </form>
)
