import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { Form } from '../../kit/forms/form.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { Action, Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { ClaimList } from './ci/claim-list.tsx'
import { keepingOnly } from './edit-token.tsx'
import { findToken } from './find-token.ts'
import type { Token } from './narrowing-fields.ts'
import { Creator, LastUse, OldSecret } from './token-facts.tsx'

const { get_api_token, update_api_token } = authTokens.operations

export function tokenPage({ get }: ConsolePages) {
  get('/tokens/:id', async scene => {
    const token = await findToken(scene)
    const { id, name } = token
    const path = `${scene.root}/tokens/${id}`
    return scene.show(
      <ConsolePage
        scene={scene}
        title="API token"
        part="/tokens"
        crumbs={[{ label: 'API tokens', path: '/tokens' }]}
      >
        <PageHead title={name} id={id}>
          {scene.may(update_api_token) && (
            <>
              {/* A run's token follows its trust. */}
              {token.ci_trust_id === undefined && <Action href={`${path}/edit`}>Edit</Action>}
              <Action href={`${path}/rotate`}>Rotate secret</Action>
              <Action href={`${path}/revoke`} look="danger">
                Revoke
              </Action>
            </>
          )}
        </PageHead>
        <Facts scene={scene} token={token} />
        {token.run && (
          <Card
            name="run"
            title="Run of CI"
            actions={<a href={`${scene.root}/tokens/ci#${token.ci_trust_id}`}>Its trust</a>}
          >
            <ClaimList claims={token.run} />
          </Card>
        )}
        {token.used_permissions && <Uses scene={scene} token={token} used={token.used_permissions} />}
        <CommandLines call={callOf(scene, get_api_token, { params: { id } })} />
      </ConsolePage>,
    )
  })
}

interface FactsProps {
  readonly scene: Scene
  readonly token: Token
}

const Facts = ({ scene, token }: FactsProps) => {
  const { permissions, allowed_addresses } = token
  return (
    <Card name="facts">
      <dl class="facts">
        <Fact label="Secret">
          <code>…{token.hint}</code>
          <OldSecret scene={scene} token={token} />
        </Fact>
        {permissions !== undefined && (
          <Fact label="Permissions">
            {permissions ? <Codes of={permissions} /> : 'All that a member may'}
          </Fact>
        )}
        {allowed_addresses !== undefined && (
          <Fact label="Accepted from">
            {allowed_addresses ? <Codes of={allowed_addresses} /> : 'Anywhere'}
          </Fact>
        )}
        <Fact label="Last used">
          <LastUse scene={scene} token={token} />
        </Fact>
        <Fact label="Expires">
          <When at={token.expires_at} now={scene.now} none="Never" />
        </Fact>
        <Fact label="Created by">
          <Creator token={token} />
        </Fact>
        <Fact label="Created">
          <When at={token.created_at} now={scene.now} />
        </Fact>
      </dl>
    </Card>
  )
}

const Codes = ({ of }: { readonly of: readonly string[] }) => <code>{of.join(', ')}</code>

interface UsesProps extends FactsProps {
  readonly used: string[]
}

const Uses = ({ scene, token, used }: UsesProps) => {
  const { id, unused_permissions: unused = [], observed_since } = token
  return (
    <Card
      name="uses"
      title="What it uses"
      text={
        used.length === 0 ? (
          'Not used in the last 30 days.'
        ) : (
          <>
            Observed since <When at={observed_since ?? null} now={scene.now} />, for at most 30 days.
          </>
        )
      }
    >
      {used.length > 0 && (
        <>
          <dl class="facts">
            <Fact label="Used">
              <Codes of={used} />
            </Fact>
            <Fact label="Not used">{unused.length > 0 ? <Codes of={unused} /> : 'Nothing'}</Fact>
          </dl>
          {unused.length > 0 && (
            <Form
              action={`${scene.root}/tokens/${id}/edit`}
              csrf={scene.visit.csrf}
              hidden={keepingOnly(token, used)}
            >
              <p class="actions">
                <button type="submit" class="button second">
                  Keep only what it uses
                </button>
              </p>
            </Form>
          )}
        </>
      )}
    </Card>
  )
}
