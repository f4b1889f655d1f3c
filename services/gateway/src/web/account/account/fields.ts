import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newPasswordField, passwordField } from '../../kit/forms/account-fields.ts'
import { formFields } from '../../kit/forms/schema-fields.ts'

export const nameFields = formFields(authTokens.operations.update_user, [
  {
    name: 'name',
    label: 'Name',
    hint: 'Members of your workspaces see it beside your address.',
    autocomplete: 'name',
  },
])

export const passwordFields = [
  {
    ...passwordField,
    name: 'current_password',
    label: 'Current password',
    otherwise: () => 'Enter your current password.',
  },
  newPasswordField,
]

export const deleteFields = [passwordField]
