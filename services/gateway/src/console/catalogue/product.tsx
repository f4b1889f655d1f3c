/** Products: one with its versions to choose from and its channels, a new one, another name. */
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { attempt, send, valuesOf } from '../forms/submitted.ts'
import { Form } from '../../pages/shared/form.tsx'
import { field } from '../../pages/shared/form-fields.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, PageHead } from '../ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../ui/when.tsx'
import { ChannelBadge } from './channel-badge.tsx'
import { crumbsOf } from './crumbs.ts'
import { deletePages } from './delete-pages.tsx'

const { create_product, update_product, delete_product, get_product, list_package_versions } =
  offers.operations
type Problems = Readonly<Record<string, string>>

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  maxLength: 200,
  flag: '--name',
  hint: 'Customers read it on offers and orders.',
}

export function productPages(pages: ConsolePages) {
  const { get, post } = pages
  get('/catalogue/products/new', async scene =>
    scene.show(await newPage(scene, { package_id: scene.query.get('package_id') ?? '' })),
  )

  post('/catalogue/products/new', async scene => {
    const values = valuesOf(scene)
    const sent = await send(await newFields(scene), values, body =>
      scene.invoke(offers, 'create_product', { body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/products/${sent.done.id}`, 'created')
    return scene.show(await newPage(scene, values, sent.refused.problems), sent.refused.status)
  })

  get('/catalogue/products/:id', async scene => showProduct(scene))

  post('/catalogue/products/:id/version', async scene => {
    const params = paramsOf(scene)
    const body = { current_package_version_id: field(scene.request, 'version') || null }
    const sent = await attempt([], () => scene.invoke(offers, 'update_product', { params, body }))
    if ('done' in sent) return scene.go(`/catalogue/products/${params.id}`, 'moved')
    return showProduct(scene, Object.values(sent.refused.problems).join(' '), sent.refused.status)
  })

  get('/catalogue/products/:id/rename', async scene => {
    const { name } = await read(scene)
    return scene.show(renamePage(scene, { name }))
  })

  post('/catalogue/products/:id/rename', async scene => {
    const values = valuesOf(scene)
    const params = paramsOf(scene)
    const sent = await send([nameField], values, body =>
      scene.invoke(offers, 'update_product', { params, body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/products/${params.id}`, 'saved')
    return scene.show(renamePage(scene, values, sent.refused.problems), sent.refused.status)
  })

  deletePages(pages, {
    kind: 'products',
    operation: delete_product,
    consequence: 'A product that a channel or an offer refers to is not deleted.',
    read,
    remove: scene => scene.invoke(offers, 'delete_product', { params: paramsOf(scene) }),
  })
}

const paramsOf = ({ params: { id = '' } }: Scene) => ({ id })
const read = (scene: Scene) => scene.invoke(offers, 'get_product', { params: paramsOf(scene) })

/** Three calls of the bus, in two rounds. */
async function showProduct(scene: Scene, problem?: string, status?: number) {
  const product = await read(scene)
  const [versions, channels] = await Promise.all([
    scene.invoke(offers, 'list_package_versions', {
      params: { id: product.package_id },
      query: queryOf(scene, list_package_versions.query),
    }),
    scene.invoke(offers, 'list_offer_channels', { query: { product_id: product.id, limit: '100' } }),
  ])
  return scene.show(
    <ProductPage scene={scene} product={product} versions={versions} channels={channels} problem={problem} />,
    status,
  )
}

interface ProductPageProps {
  readonly scene: Scene
  readonly product: Answer<'get_product'>
  readonly versions: Answer<'list_package_versions'>
  readonly channels: Answer<'list_offer_channels'>
  readonly problem: string | undefined
}

function ProductPage({ scene, product, versions, channels, problem }: ProductPageProps) {
  const { id, name, package_id, current_package_version_id: current } = product
  const path = `${scene.root}/catalogue/products/${id}`
  return (
    <ConsolePage
      scene={scene}
      title={name}
      part="/catalogue"
      crumbs={crumbsOf('products')}
      failed={!!problem}
    >
      <PageHead
        title={name}
        id={id}
        text={
          <>
            Sells the package <a href={`${scene.root}/catalogue/packages/${package_id}`}>{package_id}</a>
          </>
        }
      >
        <Action href={`${scene.root}/offers/new?product_id=${id}`} look="main" icon="tag">
          New offer
        </Action>
        <Action href={`${path}/rename`}>Rename</Action>
        {scene.may(delete_product) && (
          <Action href={`${path}/delete`} look="danger">
            Delete
          </Action>
        )}
      </PageHead>
      {problem && (
        <p class="summary" role="alert">
          {problem}
        </p>
      )}
      <Card
        name="versions"
        title="Current version"
        text="Offers that name no version get it when they are made. Earlier offers keep theirs."
        actions={
          <Action href={`${scene.root}/catalogue/packages/${package_id}/versions/new`} icon="plus">
            New version
          </Action>
        }
      >
        <Table
          label="Versions"
          items={versions.data}
          keyOf={one => one.id}
          columns={[
            {
              label: 'Version',
              value: one => (
                <>
                  <a href={`${scene.root}/catalogue/versions/${one.id}`}>{one.version}</a>{' '}
                  {one.id === current && <Badge look="good">Current</Badge>}
                </>
              ),
            },
            { label: 'Published', value: one => <When at={one.created_at} now={scene.now} /> },
            {
              label: 'Change',
              value: one =>
                one.id !== current && (
                  <Form action={`${path}/version`} csrf={scene.visit.csrf} hidden={{ version: one.id }}>
                    <button type="submit" class="quiet" aria-label={`Make it current: ${one.version}`}>
                      Make it current
                    </button>
                  </Form>
                ),
            },
          ]}
        />
        <Pager scene={scene} next={versions.next_cursor} />
      </Card>
      <Card
        name="channels"
        title="Channels"
        text="Each sells this product on the terms of its policy."
        actions={
          <Action href={`${scene.root}/catalogue/channels/new?product_id=${id}`} icon="plus">
            New channel
          </Action>
        }
      >
        {channels.data.length > 0 ? (
          <Table
            label="Channels"
            items={channels.data}
            keyOf={one => one.id}
            columns={[
              {
                label: 'Channel',
                value: one => <a href={`${scene.root}/catalogue/channels/${one.id}`}>{one.name}</a>,
              },
              { label: 'State', value: one => <ChannelBadge status={one.status} /> },
              { label: 'Active policy', isNumber: true, value: one => one.active_policy ?? 'None' },
            ]}
          />
        ) : (
          <p class="hint">None. Offers can be made directly, on terms of their own.</p>
        )}
      </Card>
      <CommandLines call={callOf(scene, get_product, { params: { id }, svc: 'products get', args: [id] })} />
    </ConsolePage>
  )
}

/** The newest hundred packages are to choose from. */
async function newFields({ invoke }: Scene): Promise<readonly FieldSpec[]> {
  const { data } = await invoke(offers, 'list_packages', { query: { limit: '100' } })
  return [
    nameField,
    {
      name: 'package_id',
      label: 'Package',
      kind: 'select',
      flag: '--package',
      hint: 'What it sells. It cannot be changed later.',
      choices: data.map(({ id, name }) => [id, name]),
    },
  ]
}

async function newPage(scene: Scene, values: FieldValues, problems?: Problems) {
  const fields = await newFields(scene)
  return (
    <FormPage
      scene={scene}
      title="New product"
      part="/catalogue"
      crumbs={crumbsOf('products')}
      action="/catalogue/products/new"
      call={callOf(scene, create_product, { fields, svc: 'products create' })}
      {...{ fields, values, problems }}
      button="Create the product"
      back="/catalogue"
    />
  )
}

function renamePage(scene: Scene, values: FieldValues, problems?: Problems) {
  const { id } = paramsOf(scene)
  const path = `/catalogue/products/${id}`
  return (
    <FormPage
      scene={scene}
      title="Rename the product"
      part="/catalogue"
      crumbs={crumbsOf('products', { label: id, path })}
      action={`${path}/rename`}
      call={callOf(scene, update_product, {
        params: { id },
        fields: [nameField],
        svc: 'products update',
        args: [id],
      })}
      fields={[nameField]}
      {...{ values, problems }}
      button="Save"
      back={path}
    />
  )
}
