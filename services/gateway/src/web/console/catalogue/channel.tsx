import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { beganWith, changedFields, send, valuesOf } from '../../kit/forms/submitted.ts'
import { readList } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { queryOf } from '../ui/query-of.ts'
import { ChannelPage } from './channel-view.tsx'
import { crumbsOf } from './crumbs.ts'
import { listedByName, shownName } from './names.ts'
import { deletePages } from './delete-pages.tsx'
import { FirstNeeded } from './first-needed.tsx'
import { readActivePolicy } from './read-policies.ts'

const { create_offer_channel, update_offer_channel, delete_offer_channel, list_channel_policies } =
  offers.operations
type Problems = Readonly<Record<string, string>>

const own: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', hint: 'Customers don’t see this.' },
  {
    name: 'status',
    label: 'State',
    kind: 'select',
    choices: [
      ['active', 'Active – accepts new offers'],
      ['inactive', 'Inactive – no new offers'],
    ],
  },
]

export function channelPages(pages: ConsolePages) {
  const { get, post } = pages
  get('/catalogue/channels/new', async scene => {
    const product_id = scene.query.get('product_id') ?? ''
    return scene.show(await newPage(scene, withNewKey({ product_id, status: 'active' })))
  })

  post('/catalogue/channels/new', async scene => {
    const values = valuesOf(scene)
    const fields = await newFields(scene)
    const sent = await send(fields, values, body =>
      scene.invoke(offers, 'create_offer_channel', { headers: sentKey(values), body }),
    )
    // An offer needs a policy.
    if ('done' in sent) return scene.go(`/catalogue/channels/${sent.done.id}/policies/new`, 'created')
    const again = shownAgain(values, sent.refused)
    return scene.show(await newPage(scene, again.values, again.problems), again.status)
  })

  get('/catalogue/channels/:id', async scene => {
    const params = paramsOf(scene)
    const [channel, policies] = await Promise.all([
      read(scene),
      scene.invoke(offers, 'list_channel_policies', {
        params,
        query: queryOf(scene, list_channel_policies.query),
      }),
    ])
    const [product, active] = await Promise.all([
      scene.invoke(offers, 'get_product', { params: { id: channel.product_id } }),
      policies.data.find(one => one.active) ?? readActivePolicy(scene, channel),
    ])
    return scene.show(<ChannelPage {...{ scene, channel, product, active, policies }} />)
  })

  get('/catalogue/channels/:id/edit', async scene => {
    const { name, status } = await read(scene)
    return scene.show(editPage(scene, name, { name, status }))
  })

  post('/catalogue/channels/:id/edit', async scene => {
    const values = valuesOf(scene)
    const params = paramsOf(scene)
    const changed = changedFields(own, values)
    if (changed.length === 0) {
      await read(scene)
      return scene.go(`/catalogue/channels/${params.id}`, 'saved')
    }
    const sent = await send(changed, values, body =>
      scene.invoke(offers, 'update_offer_channel', { params, body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/channels/${params.id}`, 'saved')
    const { name } = await read(scene)
    return scene.show(editPage(scene, name, values, sent.refused.problems), sent.refused.status)
  })

  deletePages(pages, {
    kind: 'channels',
    operation: delete_offer_channel,
    consequence: 'Their revisions are deleted too. Terms used by an offer can’t be deleted.',
    read,
    remove: scene => scene.invoke(offers, 'delete_offer_channel', { params: paramsOf(scene) }),
  })
}

const paramsOf = ({ params: { id = '' } }: Scene) => ({ id })
const read = (scene: Scene) => scene.invoke(offers, 'get_offer_channel', { params: paramsOf(scene) })

async function newFields({ invoke }: Scene): Promise<readonly FieldSpec[]> {
  const products = await readList(query => invoke(offers, 'list_products', { query }))
  return [
    {
      name: 'product_id',
      label: 'Product',
      kind: 'select',
      hint: 'The product these terms are for. You can’t change this later.',
      choices: listedByName(products).map(({ id, name }) => [id, name]),
    },
    ...own,
  ]
}

async function newPage(scene: Scene, values: FieldValues, problems?: Problems) {
  const fields = await newFields(scene)
  if (fields[0]?.choices?.length === 0) {
    const text = 'Terms are for a product. Create the product first.'
    return <FirstNeeded {...{ scene, text }} title="New terms" kind="channels" needed="product" />
  }
  return (
    <FormPage
      scene={scene}
      title="New terms"
      part="/catalogue"
      crumbs={crumbsOf('channels')}
      action="/catalogue/channels/new"
      call={callOf(scene, create_offer_channel, {
        fields,
        headers: keyHeader(values),
      })}
      hidden={keyField(values)}
      {...{ fields, values, problems }}
      button="Create terms"
      back="/catalogue?kind=channels"
    />
  )
}

function editPage(scene: Scene, name: string, values: FieldValues, problems?: Problems) {
  const { id } = paramsOf(scene)
  const path = `/catalogue/channels/${id}`
  return (
    <FormPage
      scene={scene}
      title="Edit terms"
      part="/catalogue"
      crumbs={crumbsOf('channels', { label: shownName({ id, name }), path })}
      action={`${path}/edit`}
      call={callOf(scene, update_offer_channel, {
        params: { id },
        fields: own,
      })}
      fields={own}
      hidden={beganWith(own, values)}
      {...{ values, problems }}
      button="Save"
      back={path}
    />
  )
}
