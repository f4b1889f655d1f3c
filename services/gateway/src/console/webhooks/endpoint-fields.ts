import { events } from '@svc/contract/events'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'

/** All events of a noun: what members may read. */
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
    hint: 'With https://, and reachable from the internet.',
    flag: '--url',
  },
  {
    name: 'event_types',
    label: 'Events',
    kind: 'lines',
    rows: 5,
    hint: `Types such as orders.completed, or all of one noun, one on each line: ${known.map(noun => `${noun}.*`).join(', ')}.`,
    flag: '--type',
  },
  {
    name: 'description',
    label: 'Description',
    isOptional: true,
    empty: '',
    hint: 'For you.',
    flag: '--description',
  },
]

export const firstValues: FieldValues = { event_types: 'offers.*\norders.*\ninstalls.*' }
