/** How a person proves who they are before a factor changes: by a factor, or for the first one by the password. */
import type { FactorProof } from '@svc/contract/auth-tokens/factors'
import type { FastifyRequest } from 'fastify'
import { passwordField } from '../../kit/forms/account-fields.ts'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { Form } from '../../kit/forms/form.tsx'
import { field, type Problems } from '../../kit/forms/form-fields.ts'
import { PasskeyForm } from './passkey-form.tsx'

export interface Ways {
  /** Null: the person has no passkey. */
  readonly options: object | null
  readonly has_totp: boolean
}

export const codeField = ({ has_totp }: Ways): FieldSpec => ({
  name: 'code',
  label: has_totp ? 'Code' : 'Recovery code',
  hint: has_totp ? 'From your authenticator app, or a recovery code.' : 'One of those that you have stored.',
  autocomplete: 'one-time-code',
  input: { autocapitalize: 'none', spellcheck: 'false', maxLength: 60 },
})

export const proofFields = (ways: Ways | undefined): readonly FieldSpec[] => [
  ways ? codeField(ways) : passwordField,
]

/** What was sent, as the body of the operation has it; undefined: nothing. */
export function sentProof(request: FastifyRequest): FactorProof | { password: string } | undefined {
  const [passkey, code, password] = ['passkey', 'code', 'password'].map(name => field(request, name))
  if (passkey) return { passkey: parsed(passkey) as Extract<FactorProof, { passkey: unknown }>['passkey'] }
  if (code) return { code }
  return password ? { password } : undefined
}

/** The service refuses what is no answer of a browser. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

interface ProofFormsProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  /** Undefined: the person has no factor yet, and proves the password. */
  readonly ways: Ways | undefined
  readonly button: string
  readonly isDangerous?: boolean
  readonly problems?: Problems | undefined
}

export function ProofForms({ ways, button, isDangerous, problems, ...form }: ProofFormsProps) {
  return (
    <>
      {ways?.options && (
        <PasskeyForm
          {...form}
          kind="get"
          options={ways.options}
          button={`${button} with a passkey`}
          {...(isDangerous && { isDangerous })}
        />
      )}
      <Form {...form}>
        <Fields fields={proofFields(ways)} values={{}} problems={problems} />
        <p class="actions">
          <button
            type="submit"
            class={isDangerous ? 'button danger' : ways?.options ? 'button second' : 'button'}
          >
            {button}
          </button>
        </p>
      </Form>
    </>
  )
}
