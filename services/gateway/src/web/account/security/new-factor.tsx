import { Fields } from '../../kit/forms/fields.tsx'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import { pagesScriptPath, passkeysScriptPath } from '../../kit/page/stylesheet.ts'
import { Copied } from '../../kit/ui/parts.tsx'
import { QrCode } from '../../kit/ui/qr-code.tsx'
import { StoredForm } from '../../kit/ui/stored-form.tsx'
import type { Visit } from '../../kit/visit/visit.ts'
import { changes, paths } from './changes.tsx'
import { PasskeyForm } from './passkey-form.tsx'

interface NewPasskeyProps {
  readonly visit: Visit
  readonly options: object
  readonly name: string
}

export const NewPasskey = ({ visit, options, name }: NewPasskeyProps) => (
  <Page title={changes.passkey.title} visit={visit} scripts={[passkeysScriptPath]}>
    <h1>{changes.passkey.title}</h1>
    <p>Your browser asks where to store it: on this device, on your phone, or on a security key.</p>
    <noscript>
      <p>Passkeys need JavaScript, which is switched off.</p>
    </noscript>
    <PasskeyForm
      kind="create"
      action={paths.addPasskey}
      csrf={visit.csrf}
      options={options}
      button="Create the passkey"
    >
      <Fields
        fields={[
          {
            name: 'name',
            label: 'Name',
            hint: 'So that you recognise it in the list.',
            input: { maxLength: 100 },
          },
        ]}
        values={{ name }}
        problems={undefined}
      />
    </PasskeyForm>
    <p>
      <a href={paths.security}>Cancel</a>
    </p>
  </Page>
)

interface NewAuthenticatorProps {
  readonly visit: Visit
  readonly totp: Readonly<Record<'permit' | 'sealed' | 'secret' | 'uri', string>>
  readonly problems?: Problems | undefined
}

export function NewAuthenticator({ visit, totp, problems }: NewAuthenticatorProps) {
  const { permit, sealed, secret, uri } = totp
  return (
    <Page
      title={changes.authenticator.title}
      visit={visit}
      failed={problems !== undefined}
      scripts={[pagesScriptPath]}
    >
      <ProblemSummary problems={problems} />
      <h1>{changes.authenticator.title}</h1>
      <p>Scan this with the app, or type the key into it.</p>
      <QrCode text={uri} label="The key, to be scanned" />
      <Copied text={secret.replace(/.{4}(?=.)/g, '$& ')} label="Copy the key" />
      <p>
        <a href={uri}>Open the app on this device</a>
      </p>
      <Form action={paths.addAuthenticator} csrf={visit.csrf} hidden={{ permit, sealed, secret, uri }}>
        <Fields
          fields={[
            {
              name: 'code',
              label: 'Code',
              hint: 'The six digits that the app shows now.',
              autocomplete: 'one-time-code',
              input: { inputmode: 'numeric', maxLength: 20 },
            },
          ]}
          values={{}}
          problems={problems}
        />
        <p class="actions">
          <button type="submit" class="button">
            Confirm
          </button>
          <a class="button second" href={paths.security}>
            Cancel
          </a>
        </p>
      </Form>
    </Page>
  )
}

/** No address leads to it: it answers the form that made the codes. */
export const RecoveryCodes = ({ visit, codes }: { visit: Visit; codes: readonly string[] }) => (
  <Page title="Your recovery codes" visit={visit} scripts={[pagesScriptPath]}>
    <h1>Your recovery codes</h1>
    <p>
      <strong>Store them now.</strong> You won’t be able to see them again. Each signs you in once, with your
      password, when you’ve lost the rest.
    </p>
    <div class="note" role="status">
      <ul class="codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
    <StoredForm action={paths.security} text="I have stored them" />
  </Page>
)
