import { maxPasskeys, recoveryCodeCount } from '@svc/contract/auth-tokens/factors'
import type { ComponentChildren } from 'preact'
import { Page } from '../../kit/page/layout.tsx'
import { Badge } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { Visit } from '../../kit/visit/visit.ts'
import { changes } from './changes.tsx'
import { type Factors, hasFactor } from './factors.ts'

const notices: Readonly<Record<string, string>> = {
  added: 'Added. From now on it signs you in.',
  removed: 'Removed. It no longer signs you in.',
}

interface SecurityProps {
  readonly visit: Visit
  readonly factors: Factors
  readonly notice: string
  readonly now: number
}

export function Security({ visit, factors, notice, now }: SecurityProps) {
  const { passkeys, totp, recovery_codes } = factors
  const text = Object.hasOwn(notices, notice) && notices[notice]
  const isOn = hasFactor(factors)
  return (
    <Page title="Passkeys and second factor" visit={visit} width="wide">
      {text && (
        <p class="notice" role="status">
          {text}
        </p>
      )}
      <h1>
        Passkeys and second factor <Badge look={isOn ? 'good' : 'quiet'}>{isOn ? 'On' : 'Off'}</Badge>
      </h1>
      <p>
        {isOn
          ? 'Your password alone no longer signs you in.'
          : 'With one, whoever learns your password still can’t sign in.'}
      </p>
      <Part
        title="Passkeys"
        text="Your fingerprint, face, PIN or a security key. A passkey also signs you in without your password."
      >
        {passkeys.length > 0 && (
          <ul class="sessions">
            {passkeys.map(({ id, name, created_at, last_used_at }) => (
              <Factor key={id} {...{ id, name, now, created_at, last_used_at }} />
            ))}
          </ul>
        )}
        {passkeys.length < maxPasskeys ? (
          <Way to={changes.passkey} isMain={!isOn} />
        ) : (
          <p class="hint">You have {maxPasskeys}, and can’t add more.</p>
        )}
      </Part>
      <Part title="Authenticator app" text="An app on your phone that shows a new code every 30 seconds.">
        {totp ? (
          <ul class="sessions">
            <Factor id="totp" name="Authenticator app" created_at={totp.created_at} now={now} />
          </ul>
        ) : (
          <Way to={changes.authenticator} />
        )}
      </Part>
      {isOn && (
        <Part
          title="Recovery codes"
          text="For the day when you’ve lost your passkeys and your phone. Each code works once."
        >
          <p>
            {recovery_codes} of {recoveryCodeCount} left.
          </p>
          <Way to={changes.codes} />
        </Part>
      )}
      <p>
        <a href="/account">Account and password</a> · <a href="/docs/account">How it works</a>
      </p>
    </Page>
  )
}

const Part = ({ title, text, children }: { title: string; text: string; children: ComponentChildren }) => (
  <section class="part-of-page">
    <h2>{title}</h2>
    <p class="hint">{text}</p>
    {children}
  </section>
)

const Way = ({ to: { path, title }, isMain }: { to: { path: string; title: string }; isMain?: boolean }) => (
  <p class="actions">
    <a class={isMain ? 'button' : 'button second'} href={path}>
      {title}
    </a>
  </p>
)

interface FactorProps {
  readonly id: string
  readonly name: string
  readonly created_at: number
  /** Undefined: it is not known. */
  readonly last_used_at?: number | null
  readonly now: number
}

const Factor = ({ id, name, created_at, last_used_at, now }: FactorProps) => (
  <li>
    <article aria-labelledby={`${id}-name`}>
      <h3 id={`${id}-name`} class="long">
        {name}
      </h3>
      <dl class="facts">
        <div>
          <dt>Added</dt>
          <dd>
            <When at={created_at} now={now} />
          </dd>
        </div>
        {last_used_at !== undefined && (
          <div>
            <dt>Last used</dt>
            <dd>
              <When at={last_used_at} now={now} none="never" />
            </dd>
          </div>
        )}
      </dl>
      <form method="get" action={changes.remove.path}>
        <input type="hidden" name="id" value={id} />
        <button type="submit" class="button danger" aria-describedby={`${id}-name`}>
          Remove
        </button>
      </form>
    </article>
  </li>
)
