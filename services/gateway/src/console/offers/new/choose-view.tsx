/** Which product, channel or version an offer is made of. */
import { ConsolePage } from '../../shell/console-page.tsx'
import type { Scene } from '../../shell/scene.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card, Empty, PageHead } from '../../ui/parts.tsx'
import type { Names } from '../names.ts'

interface ChooseProps {
  readonly scene: Scene
  readonly names: Names
  /** Of what was chosen before. */
  readonly lacksVersion?: boolean
}

export function ChoosePage({ scene, names, lacksVersion }: ChooseProps) {
  const { root } = scene
  const address = (ids: Record<string, string>) => `${root}/offers/new?${new URLSearchParams(ids)}`
  return (
    <ConsolePage
      scene={scene}
      title="New offer"
      part="/offers"
      crumbs={[{ label: 'Offers', path: '/offers' }]}
    >
      <PageHead title="New offer" text="Choose what it is an offer of." />
      {lacksVersion && (
        <p class="warning">
          This product has no current version. Choose one on its page in the catalogue first.
        </p>
      )}
      {names.products.length === 0 ? (
        <Card name="none">
          <Empty
            icon="book"
            title="There is no product to sell yet"
            action={{ href: `${root}/start`, label: 'Publish your first offer' }}
          >
            An offer is of a product, or of a version of a package.
          </Empty>
        </Card>
      ) : (
        <div class="two">
          {names.products.map(product => (
            <Card key={product.id} name={product.id} title={product.name}>
              <ul class="waiting">
                {names.channels
                  .filter(({ product_id, status }) => product_id === product.id && status === 'active')
                  .map(channel => (
                    <li key={channel.id}>
                      <Icon name="tag" />
                      <div>
                        <a href={address({ product_id: product.id, offer_channel_id: channel.id })}>
                          Through the channel “{channel.name}”
                        </a>
                        <p class="hint">
                          {channel.active_policy === null
                            ? 'It has no active policy: offers are refused'
                            : `Its policy ${channel.active_policy} decides the terms`}
                        </p>
                      </div>
                    </li>
                  ))}
                <li>
                  <Icon name="arrowRight" />
                  <div>
                    <a href={address({ product_id: product.id })}>Directly</a>
                    <p class="hint">You decide the terms</p>
                  </div>
                </li>
              </ul>
            </Card>
          ))}
        </div>
      )}
      <p class="hint">
        To offer a particular version, open its page in <a href={`${root}/catalogue`}>the catalogue</a>.
      </p>
    </ConsolePage>
  )
}
