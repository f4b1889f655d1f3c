/** The changes of second factors: each has a page on which the person first proves who they are. */
import { ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import { passkeysScriptPath } from '../../kit/page/stylesheet.ts'
import type { Visit } from '../../kit/visit/visit.ts'
import type { Factors } from './factors.ts'
import { ProofForms, type Ways } from './proof.tsx'

export const paths = {
  security: '/security',
  addPasskey: '/security/passkeys',
  addAuthenticator: '/security/authenticator',
} as const

export interface Change {
  readonly path: string
  readonly title: string
  readonly text: string
  readonly button: string
  readonly notice: string
  /** Whether it can be made without a factor, with the password. */
  readonly isFirst?: true
  readonly isDangerous?: true
}

export const changes = {
  passkey: {
    path: '/security/passkeys/new',
    title: 'Add a passkey',
    text: 'First confirm that it’s you.',
    button: 'Continue',
    notice: 'added',
    isFirst: true,
  },
  authenticator: {
    path: '/security/authenticator/new',
    title: 'Set up an authenticator app',
    text: 'First confirm that it’s you.',
    button: 'Continue',
    notice: 'added',
    isFirst: true,
  },
  codes: {
    path: '/security/recovery-codes',
    title: 'Get new recovery codes',
    text: 'The codes that you have now stop working.',
    button: 'Replace codes',
    notice: 'codes',
  },
  remove: {
    path: '/security/remove',
    title: 'Remove this factor?',
    text: 'It no longer signs you in. Confirm with any factor or a recovery code.',
    button: 'Remove',
    notice: 'removed',
    isDangerous: true,
  },
} as const satisfies Record<string, Change>

interface ProveFirstProps {
  readonly visit: Visit
  readonly change: Change
  readonly ways: Ways | undefined
  readonly factors: Factors
  readonly id: string
  readonly problems: Problems | undefined
}

export function ProveFirst({ visit, change, ways, factors, id, problems }: ProveFirstProps) {
  const { title, text, path, button, isDangerous } = change
  const name = id === 'totp' ? 'Authenticator app' : factors.passkeys.find(one => one.id === id)?.name
  return (
    <Page title={title} visit={visit} failed={problems !== undefined} scripts={[passkeysScriptPath]}>
      <ProblemSummary problems={problems} />
      <h1>{title}</h1>
      {name && (
        <p>
          <strong class="long">{name}</strong>
        </p>
      )}
      <p>{text}</p>
      <ProofForms
        action={path}
        csrf={visit.csrf}
        hidden={id ? { id } : {}}
        ways={ways}
        button={button}
        problems={problems}
        {...(isDangerous && { isDangerous })}
      />
      <p>
        <a href={paths.security}>Cancel</a>
      </p>
    </Page>
  )
}
