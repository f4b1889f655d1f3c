import { scopeOf } from '../../../edge/oauth/scope.ts'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import { permissionWords, readsAll } from '../../kit/ui/permission-words.ts'
import { When } from '../../kit/ui/when.tsx'
import type { Workspace } from '../../kit/visit/acting.ts'
import type { Visit } from '../../kit/visit/visit.ts'

import { asAsked, type Asked, choicesFor } from './device-choices.ts'

interface EnterCodeProps {
  readonly visit: Visit
  readonly code: string
  readonly problems?: Problems
}

const codeField: FieldSpec = {
  name: 'user_code',
  label: 'Code',
  hint: 'Letters, for example BCDF-GHJK.',
  input: { class: 'code', autocapitalize: 'characters', spellcheck: 'false', maxLength: 40 },
}

export function EnterCode({ visit, code, problems }: EnterCodeProps) {
  return (
    <Page title="Connect a device" visit={visit} failed={problems !== undefined}>
      <ProblemSummary problems={problems} />
      <h1>Connect a device</h1>
      <p>
        Enter the code shown by the program or device. You’ll see who is asking before you allow anything.
      </p>
      <Form action="/device" csrf={visit.csrf}>
        <Fields fields={[codeField]} values={{ user_code: code }} problems={problems} />
        <p class="actions">
          <button type="submit" class="button">
            Continue
          </button>
        </p>
      </Form>
    </Page>
  )
}

interface ConfirmProps {
  readonly visit: Visit
  readonly code: string
  readonly workspaces: readonly Workspace[]
  readonly grant: Asked & {
    readonly id: string
    readonly client_id: string
    readonly client_name: string
    readonly address: string
    readonly user_agent: string
    readonly created_at: number
  }
  readonly now: number
}

/** RFC 8628, 5.4: a person who was talked into entering someone else's code must be able to notice it here. */
export function Confirm({ visit, code, grant, workspaces, now }: ConfirmProps) {
  const workspace = workspaces.find(({ id }) => id === grant.workspace_id)
  return (
    <Page title="Allow this device?" visit={visit}>
      <h1>
        Allow <span class="long">{grant.client_name}</span> to use your account?
      </h1>
      <p class="shown">
        Does your device show this code? <code>{code}</code>
      </p>
      <dl class="facts">
        <div>
          <dt>Program</dt>
          <dd>
            <span class="long">{grant.client_name}</span> <code class="long">{grant.client_id}</code>
          </dd>
        </div>
        <div>
          <dt>Request from</dt>
          <dd class="long">{grant.address || 'an unknown address'}</dd>
        </div>
        <div>
          <dt>Identifies as</dt>
          <dd class="long">{grant.user_agent || 'not stated'}</dd>
        </div>
        <div>
          <dt>Requested at</dt>
          <dd>
            <When at={grant.created_at} now={now} />
          </dd>
        </div>
        <div>
          <dt>Account</dt>
          <dd class="long">{visit.person?.email}</dd>
        </div>
        {grant.workspace_id !== undefined && (
          <div>
            <dt>Workspace</dt>
            <dd class="long">
              {workspace?.name ?? 'None of yours, so you can only deny:'} <code>{grant.workspace_id}</code>
            </dd>
          </div>
        )}
      </dl>
      <AskedFor permissions={grant.permissions} />
      <Form
        action="/device/decision"
        csrf={visit.csrf}
        hidden={{ grant_id: grant.id, client: grant.client_name }}
      >
        <Fields
          fields={choicesFor(grant, workspaces)}
          values={{ scope: scopeOf(grant.permissions), workspace_id: asAsked, expires_in: asAsked }}
        />
        <aside class="warning" aria-labelledby="warning-title">
          <h2 id="warning-title">Did someone send you this code?</h2>
          <p>
            If so, deny the request: anyone who sends you a code, by message or by phone, is trying to use
            your account. Approve only if you started this yourself and the device in front of you shows the
            same code.
          </p>
        </aside>
        <p class="actions">
          <button type="submit" class="button" name="decision" value="approved">
            Approve
          </button>
          <button type="submit" class="button second" name="decision" value="denied">
            Deny
          </button>
        </p>
      </Form>
    </Page>
  )
}

function AskedFor({ permissions }: Pick<Asked, 'permissions'>) {
  if (!permissions) {
    return (
      <p>It asks to do everything that you can do. You can allow less, and end its session at any time.</p>
    )
  }
  if (readsAll(permissions))
    return <p>It asks only to read: it can look at everything, and change nothing.</p>
  return (
    <>
      <h2>It asks to</h2>
      <ul>
        {permissions.map(name => (
          <li key={name}>{permissionWords[name]}</li>
        ))}
      </ul>
    </>
  )
}

interface DecisionPageProps {
  readonly visit: Visit
  readonly outcome: keyof typeof outcomes
  readonly client?: string
}

export function DecisionPage({ visit, outcome, client }: DecisionPageProps) {
  const { title, text, mark } = outcomes[outcome]
  return (
    <Page title={title} visit={visit}>
      {mark && (
        <svg class={`mark ${outcome}`} viewBox="0 0 48 48" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          <path d={mark} />
        </svg>
      )}
      <h1>{title}</h1>
      <p>{text(client || 'the device')}</p>
      <p class="actions">
        {outcome === 'expired' || outcome === 'unknown' || outcome === 'too_wide' ? (
          <a class="button" href="/device">
            Enter another code
          </a>
        ) : (
          <a class="button second" href="/sessions">
            See your sessions
          </a>
        )}
      </p>
    </Page>
  )
}

const outcomes = {
  approved: {
    title: 'Device approved',
    mark: 'M14 25l7 7 13-15',
    text: (client: string) =>
      `You can close this page and return to ${client}, which will continue automatically.`,
  },
  denied: {
    title: 'Request denied',
    mark: 'M16 16l16 16M32 16L16 32',
    text: () => 'It has no access to your account. You don’t need to do anything else: close this page.',
  },
  decided: {
    title: 'Already decided',
    mark: '',
    text: () =>
      'This request has already been approved or denied. If someone else approved it, end its session.',
  },
  expired: {
    title: 'This code has expired',
    mark: '',
    text: (client: string) =>
      `No access was given. A code is valid for ten minutes: start again on ${client} to get a new one.`,
  },
  too_wide: {
    title: 'Not approved',
    mark: '',
    text: () =>
      'You can allow no more than the device asks for, and only workspaces that you are a member of. Enter its code again, or deny the request.',
  },
  unknown: {
    title: 'Request not found',
    mark: '',
    text: (client: string) => `No access was given. Start again on ${client} to get a new code.`,
  },
} as const

export function TooManyCodes({ visit, wait }: { readonly visit: Visit; readonly wait: string }) {
  return (
    <Page title="Too many wrong codes" visit={visit} failed>
      <h1>Too many wrong codes</h1>
      <p>{wait}</p>
      <p>
        Attempts are limited so that codes can’t be guessed. If your code expires in the meantime, start again
        on the device to get a new one.
      </p>
    </Page>
  )
}
