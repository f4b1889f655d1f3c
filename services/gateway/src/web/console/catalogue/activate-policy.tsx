import { offers } from '@svc/contract/offers/offers'
import { Form } from '../../kit/forms/form.tsx'
import { field } from '../../kit/forms/form-fields.ts'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { Badge, Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { crumbsOf } from './crumbs.ts'
import { shownName } from './names.ts'
import { differences, policyLines } from './policy-text.ts'
import { readActivePolicy } from './read-policies.ts'

const { activate_channel_policy } = offers.operations
type Policy = Answer<'get_channel_policy'>

export function activatePolicyPages({ get, post }: ConsolePages) {
  get('/catalogue/channels/:id/policies/:number', async scene => {
    const { id = '', number = '' } = scene.params
    const [channel, policy] = await Promise.all([
      scene.invoke(offers, 'get_offer_channel', { params: { id } }),
      scene.invoke(offers, 'get_channel_policy', { params: { id, number } }),
    ])
    const active = policy.active ? policy : await readActivePolicy(scene, channel)
    return scene.show(<PolicyPage {...{ scene, policy, active, name: channel.name }} />)
  })

  post('/catalogue/channels/:id/policies/:number/activate', async scene => {
    const { id = '', number = '' } = scene.params
    const { active_policy } = await scene.invoke(offers, 'get_offer_channel', { params: { id } })
    // The active policy has changed since the comparison: compare again.
    if (field(scene.request, 'active') !== `${active_policy ?? ''}`)
      return scene.go(`/catalogue/channels/${id}/policies/${number}`, 'compared')
    await scene.invoke(offers, 'activate_channel_policy', { params: { id, number } })
    return scene.go(`/catalogue/channels/${id}`, 'activated')
  })
}

interface PolicyPageProps {
  readonly scene: Scene
  readonly policy: Policy
  readonly active: Policy | undefined
  readonly name: string
}

function PolicyPage({ scene, policy, active, name }: PolicyPageProps) {
  const id = policy.offer_channel_id
  const path = `/catalogue/channels/${id}`
  const params = { id, number: `${policy.number}` }
  const changes = differences(active?.policy, policy.policy)
  return (
    <ConsolePage
      scene={scene}
      title={`Revision ${policy.number}`}
      part="/catalogue"
      crumbs={crumbsOf('channels', { label: shownName({ id, name }), path })}
    >
      <PageHead
        title={`Revision ${policy.number}`}
        badge={policy.active && <Badge look="good">Active</Badge>}
        text={
          <>
            Created <When at={policy.created_at} now={scene.now} />. Revisions can’t be edited.
          </>
        }
      />
      {!policy.active && (
        <Card
          name="changes"
          title="Changes"
          text={
            active
              ? `Compared with revision ${active.number}, which is active. Existing offers keep their terms.`
              : 'No revision is active yet.'
          }
        >
          {changes.length === 0 && <p>No differences.</p>}
          <dl class="facts">
            {changes.map(({ label, before, after }) => (
              <Fact key={label} label={label}>
                <span class="changes">
                  {before !== undefined && <del class="lines">{before}</del>}
                  {after !== undefined && <ins class="lines">{after}</ins>}
                </span>
              </Fact>
            ))}
          </dl>
          <Form
            action={`${scene.root}${path}/policies/${policy.number}/activate`}
            csrf={scene.visit.csrf}
            hidden={{ active: `${active?.number ?? ''}` }}
          >
            <p class="actions">
              <button type="submit" class="button">
                {`Activate revision ${policy.number}`}
              </button>
              <a class="button second" href={scene.root + path}>
                Cancel
              </a>
            </p>
          </Form>
        </Card>
      )}
      <Card name="terms" title="All terms">
        <dl class="facts">
          {policyLines(policy.policy).map(([label, text]) => (
            <Fact key={label} label={label}>
              <span class="lines">{text}</span>
            </Fact>
          ))}
        </dl>
      </Card>
      <CommandLines
        call={callOf(scene, activate_channel_policy, {
          params,
        })}
      />
    </ConsolePage>
  )
}
