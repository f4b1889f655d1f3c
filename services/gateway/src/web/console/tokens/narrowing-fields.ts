/** What a token may do and from where, as fields: one question, and boxes for whoever chooses single permissions. */
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { beyondMembers, presetNames } from '@svc/contract/core/permissions'
import { tokenPermissions } from '@svc/contract/token-permissions'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { formField } from '../../kit/forms/schema-fields.ts'
import { asWords } from '../../kit/ui/words.ts'
import type { Answer } from '../ui/answers.ts'

type Operations = typeof authTokens.operations

export const permissionChoices = [...tokenPermissions, ...beyondMembers]
  .map(name => [name, name, asWords(name.split(':')[0] ?? '').replace(/^Api/, 'API')] as const)
  .toSorted(([, , one], [, , other]) => one.localeCompare(other))

const question: FieldSpec = {
  name: 'may',
  label: 'What may it do?',
  kind: 'radio',
  at: null,
  choices: [
    ['chosen', 'Only what I choose'],
    ['read', 'Read only', 'Everything that a member may read.'],
    ['ci', 'CI', 'Read and write the catalogue and offers.'],
    ['all', 'All that a member may'],
  ],
}

/** Fields that are shown, and such that send what the question was answered with. */
export function narrowingFields(operation: Operations['create_api_token' | 'update_api_token']) {
  const boxes: FieldSpec = {
    ...formField(operation, { name: 'permissions', label: 'Permissions' }),
    isOptional: false,
    choices: permissionChoices,
    when: ['may', ['chosen']],
  }
  const presets = presetNames.map(
    (preset): FieldSpec => ({
      ...{ name: preset, label: preset, at: 'permissions', sends: preset },
      when: ['may', [preset]],
    }),
  )
  const all: FieldSpec = {
    ...{ name: 'all', label: 'All', at: 'permissions', when: ['may', ['all']], isOptional: true },
    ...(operation.http.method === 'PATCH' && { empty: null }),
  }
  return {
    permissions: [question, boxes],
    answers: [...presets, all],
    networks: formField(operation, {
      ...{ name: 'allowed_addresses', label: 'Allowed networks', placeholder: '203.0.113.0/24' },
      hint: 'One per line. Leave blank to accept it from anywhere.',
    }),
  }
}

export type Token = Answer<'get_api_token'>

export const valuesOfToken = ({ name, permissions, allowed_addresses }: Token): FieldValues => ({
  name,
  may: permissions ? 'chosen' : 'all',
  ...Object.fromEntries((permissions ?? []).map(one => [`permissions.${one}`, 'on'])),
  allowed_addresses: (allowed_addresses ?? []).join('\n'),
})
