import { webhookTypes, wildcardOf } from '@svc/contract/activity/webhook-types'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { asWords } from '../../kit/ui/words.ts'

const first = ['offers.*', 'orders.*', 'installs.*']
const wildcards = [...new Set([...first, ...webhookTypes.map(wildcardOf)])]

const groupOf = (wildcard: string): string => asWords(wildcard.slice(0, -2)).replace(/^Api/, 'API')

export const endpointFields: readonly FieldSpec[] = [
  {
    name: 'url',
    label: 'URL',
    kind: 'url',
    placeholder: 'https://hooks.example.com/svc',
    hint: 'Must use https:// and be reachable from the internet.',
  },
  {
    name: 'event_types',
    label: 'Events',
    kind: 'checks',
    hint: '“All” includes types that are added later.',
    choices: wildcards.flatMap(wildcard => [
      [wildcard, `All (${wildcard})`, groupOf(wildcard)] as const,
      ...webhookTypes
        .filter(type => wildcardOf(type) === wildcard)
        .map(type => [type, type, groupOf(wildcard)] as const),
    ]),
  },
  {
    name: 'description',
    label: 'Description',
    isOptional: true,
    empty: '',
    hint: 'Only your team sees this.',
  },
]

export const typesChosen = (types: readonly string[]): FieldValues =>
  Object.fromEntries(types.map(type => [`event_types.${type}`, 'on']))

export const firstValues = typesChosen(first)
