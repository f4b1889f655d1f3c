import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { attempt, send, valuesOf } from '../../kit/forms/submitted.ts'
import { field } from '../../kit/forms/form-fields.ts'
import { readList } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { queryOf } from '../ui/query-of.ts'
import { crumbsOf } from './crumbs.ts'
import { deletePages } from './delete-pages.tsx'
import { FirstNeeded } from './first-needed.tsx'
import { listedByName, shownName } from './names.ts'
import { ProductPage } from './product-view.tsx'

const { create_product, update_product, delete_product, list_package_versions } = offers.operations
type Problems = Readonly<Record<string, string>>

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  hint: 'Customers see this on offers and orders.',
}

export function productPages(pages: ConsolePages) {
  const { get, post } = pages
  get('/catalogue/products/new', async scene =>
    scene.show(await newPage(scene, withNewKey({ package_id: scene.query.get('package_id') ?? '' }))),
  )

  post('/catalogue/products/new', async scene => {
    const values = valuesOf(scene)
    const sent = await send(await newFields(scene), values, body =>
      scene.invoke(offers, 'create_product', { headers: sentKey(values), body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/products/${sent.done.id}`, 'created')
    const again = shownAgain(values, sent.refused)
    return scene.show(await newPage(scene, again.values, again.problems), again.status)
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
    return scene.show(renamePage(scene, name, { name }))
  })

  post('/catalogue/products/:id/rename', async scene => {
    const values = valuesOf(scene)
    const params = paramsOf(scene)
    const sent = await send([nameField], values, body =>
      scene.invoke(offers, 'update_product', { params, body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/products/${params.id}`, 'saved')
    const { name } = await read(scene)
    return scene.show(renamePage(scene, name, values, sent.refused.problems), sent.refused.status)
  })

  deletePages(pages, {
    kind: 'products',
    operation: delete_product,
    consequence: 'Products used by terms or an offer can’t be deleted.',
    read,
    remove: scene => scene.invoke(offers, 'delete_product', { params: paramsOf(scene) }),
  })
}

const paramsOf = ({ params: { id = '' } }: Scene) => ({ id })
const read = (scene: Scene) => scene.invoke(offers, 'get_product', { params: paramsOf(scene) })

async function showProduct(scene: Scene, problem?: string, status?: number) {
  const product = await read(scene)
  const [pkg, versions, channels] = await Promise.all([
    scene.invoke(offers, 'get_package', { params: { id: product.package_id } }),
    scene.invoke(offers, 'list_package_versions', {
      params: { id: product.package_id },
      query: queryOf(scene, list_package_versions.query),
    }),
    readList(query =>
      scene.invoke(offers, 'list_offer_channels', { query: { product_id: product.id, ...query } }),
    ),
  ])
  return scene.show(<ProductPage {...{ scene, product, pkg, versions, channels, problem }} />, status)
}

async function newFields({ invoke }: Scene): Promise<readonly FieldSpec[]> {
  const packages = await readList(query => invoke(offers, 'list_packages', { query }))
  return [
    nameField,
    {
      name: 'package_id',
      label: 'Package',
      kind: 'select',
      hint: 'The package this product sells. You can’t change this later.',
      choices: listedByName(packages).map(({ id, name }) => [id, name]),
    },
  ]
}

async function newPage(scene: Scene, values: FieldValues, problems?: Problems) {
  const fields = await newFields(scene)
  if (fields[1]?.choices?.length === 0) {
    const text = 'A product sells a package. Create the package first.'
    return <FirstNeeded {...{ scene, text }} title="New product" kind="products" needed="package" />
  }
  return (
    <FormPage
      scene={scene}
      title="New product"
      part="/catalogue"
      crumbs={crumbsOf('products')}
      action="/catalogue/products/new"
      call={callOf(scene, create_product, { fields, headers: keyHeader(values) })}
      hidden={keyField(values)}
      {...{ fields, values, problems }}
      button="Create product"
      back="/catalogue"
    />
  )
}

function renamePage(scene: Scene, name: string, values: FieldValues, problems?: Problems) {
  const { id } = paramsOf(scene)
  const path = `/catalogue/products/${id}`
  return (
    <FormPage
      scene={scene}
      title="Rename product"
      part="/catalogue"
      crumbs={crumbsOf('products', { label: shownName({ id, name }), path })}
      action={`${path}/rename`}
      call={callOf(scene, update_product, {
        params: { id },
        fields: [nameField],
      })}
      fields={[nameField]}
      {...{ values, problems }}
      button="Save"
      back={path}
    />
  )
}
