import { newPassword, password } from '@svc/contract/auth-tokens/sessions'
import { workspaceName } from '@svc/contract/core/display-name'
import { emailAddress, isMailboxAscii } from '@svc/contract/core/email-address'
import { hasWebAddress } from '@svc/runtime/web-address'
import type { FieldSpec } from './field-spec.ts'

export const emailField: FieldSpec = {
  name: 'email',
  label: 'Email address',
  kind: 'email',
  autocomplete: 'username',
  schema: emailAddress,
  otherwise: sent =>
    isMailboxAscii(sent)
      ? 'Enter an email address, like name@example.com.'
      : 'Enter an address with only unaccented letters before the @: others don’t receive mail from everywhere.',
}

export const passwordField: FieldSpec = {
  name: 'password',
  label: 'Password',
  kind: 'secret',
  isSecret: true,
  autocomplete: 'current-password',
  schema: password,
  otherwise: () => 'Enter your password.',
}

export const newPasswordText = 'Choose a password of 8 to 200 characters.'

export const newPasswordField: FieldSpec = {
  name: 'password',
  label: 'New password',
  kind: 'secret',
  isSecret: true,
  hint: 'At least 8 characters. A few unrelated words work well.',
  schema: newPassword,
  otherwise: () => newPasswordText,
}

export const workspaceNameField = (name: string, label: string, hint: string): FieldSpec => ({
  ...{ name, label, hint },
  autocomplete: 'organization',
  schema: workspaceName.refine(text => !hasWebAddress(text)),
  otherwise: sent =>
    sent === ''
      ? 'Enter a name for your workspace.'
      : 'Use 1 to 100 characters, without web addresses or invisible characters.',
})
