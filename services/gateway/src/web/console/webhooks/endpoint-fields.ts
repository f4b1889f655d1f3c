import { events } from '@svc/contract/events'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'

const nouns = [
  'offers',
  'orders',
  'installs',
  'products',
  'packages',
  'package_versions',
  'offer_channels',
] as const
const others = [
  'api_tokens',
  'members',
  'invitations',
  'clusters',
  'compute_settings',
  'webhook_endpoints',
] as const

const known = [...nouns, ...others].filter(noun =>
  Object.keys(events).some(type => type.startsWith(`${noun}.`)),
)

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
    kind: 'lines',
    rows: 5,
    hint: `One event type per line, for example orders.completed. Use a wildcard for a whole group: ${known.map(noun => `${noun}.*`).join(', ')}.`,
  },
  {
    name: 'description',
    label: 'Description',
    isOptional: true,
    empty: '',
    hint: 'Only your team sees this.',
  },
]

export const firstValues: FieldValues = { event_types: 'offers.*\norders.*\ninstalls.*' }
