import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { Pager, Table } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { crumbsOf } from './crumbs.ts'
import { deletePages } from './delete-pages.tsx'
import { shownName } from './names.ts'

const { create_package, update_package, delete_package, get_package, list_package_versions } =
  offers.operations

const fields: readonly FieldSpec[] = [
  {
    name: 'name',
    label: 'Name',
    hint: 'Customers see this only on offers without a product.',
  },
]

type Problems = Readonly<Record<string, string>>

export function packagePages(pages: ConsolePages) {
  const { get, post } = pages
  get('/catalogue/packages/new', async scene => scene.show(newPage(scene, withNewKey({}))))

  post('/catalogue/packages/new', async scene => {
    const values = valuesOf(scene)
    const sent = await send(fields, values, body =>
      scene.invoke(offers, 'create_package', { headers: sentKey(values), body }),
    )
    if ('done' in sent) return scene.go(`/catalogue/packages/${sent.done.id}`, 'created')
    const again = shownAgain(values, sent.refused)
    return scene.show(newPage(scene, again.values, again.problems), again.status)
  })

  get('/catalogue/packages/:id', async scene => {
    const params = paramsOf(scene)
    const [found, versions] = await Promise.all([
      scene.invoke(offers, 'get_package', { params }),
      scene.invoke(offers, 'list_package_versions', {
        params,
        query: queryOf(scene, list_package_versions.query),
      }),
    ])
    const { id, created_at } = found
    const name = shownName(found)
    const path = `${scene.root}/catalogue/packages/${id}`
    return scene.show(
      <ConsolePage scene={scene} title={name} part="/catalogue" crumbs={crumbsOf('packages')}>
        <PageHead
          title={name}
          id={id}
          text={
            <>
              Created <When at={created_at} now={scene.now} />
            </>
          }
        >
          <Action href={`${path}/versions/new`} look="main" icon="plus">
            New version
          </Action>
          <Action href={`${path}/rename`}>Rename</Action>
          {scene.may(delete_package) && (
            <Action href={`${path}/delete`} look="danger">
              Delete
            </Action>
          )}
        </PageHead>
        <Card name="versions" title="Versions">
          {versions.data.length > 0 ? (
            <Table
              label="Versions"
              items={versions.data}
              keyOf={one => one.id}
              columns={[
                {
                  label: 'Version',
                  value: one => <a href={`${scene.root}/catalogue/versions/${one.id}`}>{one.version}</a>,
                },
                { label: 'Id', isExtra: true, value: one => <code>{one.id}</code> },
                { label: 'Published', value: one => <When at={one.created_at} now={scene.now} /> },
              ]}
            />
          ) : (
            <Empty
              icon="boxes"
              title="No versions yet"
              action={{ href: `${path}/versions/new`, label: 'Publish first version' }}
            >
              A version defines the order form. Once published, it can’t be changed.
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={versions.next_cursor} />
        <CommandLines call={callOf(scene, get_package, { params })} />
      </ConsolePage>,
    )
  })

  get('/catalogue/packages/:id/rename', async scene => {
    const { name } = await scene.invoke(offers, 'get_package', { params: paramsOf(scene) })
    return scene.show(renamePage(scene, name, { name }))
  })

  post('/catalogue/packages/:id/rename', async scene => {
    const values = valuesOf(scene)
    const params = paramsOf(scene)
    const sent = await send(fields, values, body => scene.invoke(offers, 'update_package', { params, body }))
    if ('done' in sent) return scene.go(`/catalogue/packages/${params.id}`, 'saved')
    const { name } = await scene.invoke(offers, 'get_package', { params })
    return scene.show(renamePage(scene, name, values, sent.refused.problems), sent.refused.status)
  })

  deletePages(pages, {
    kind: 'packages',
    operation: delete_package,
    consequence: 'Its versions are deleted too. Packages used by a product or an offer can’t be deleted.',
    read: scene => scene.invoke(offers, 'get_package', { params: paramsOf(scene) }),
    remove: scene => scene.invoke(offers, 'delete_package', { params: paramsOf(scene) }),
  })
}

const paramsOf = ({ params: { id = '' } }: Scene) => ({ id })

const newPage = (scene: Scene, values: FieldValues, problems?: Problems) => (
  <FormPage
    scene={scene}
    title="New package"
    part="/catalogue"
    crumbs={crumbsOf('packages')}
    action="/catalogue/packages/new"
    call={callOf(scene, create_package, { fields, headers: keyHeader(values) })}
    hidden={keyField(values)}
    {...{ fields, values, problems }}
    button="Create package"
    back="/catalogue?kind=packages"
  />
)

function renamePage(scene: Scene, name: string, values: FieldValues, problems?: Problems) {
  const { id } = paramsOf(scene)
  return (
    <FormPage
      scene={scene}
      title="Rename package"
      part="/catalogue"
      crumbs={crumbsOf('packages', { label: shownName({ id, name }), path: `/catalogue/packages/${id}` })}
      action={`/catalogue/packages/${id}/rename`}
      call={callOf(scene, update_package, { params: { id }, fields })}
      {...{ fields, values, problems }}
      button="Save"
      back={`/catalogue/packages/${id}`}
    />
  )
}
