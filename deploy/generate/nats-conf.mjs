import { busPermissions } from '@svc/contract/bus-permissions'
import { busUsers, natsPasswordVariable } from '@svc/contract/manifest'
import { withSection } from './section.mjs'

const notes = {
  gateway: 'the only HTTP edge: calls what it forwards and what it asks for itself',
  backoffice:
    'the operator’s own programs: people, workspaces, catalogue and clusters by bus-only operations; events',
  monitor: '`nats micro ls`, dashboards, alerts',
}

export function natsConf(text) {
  const users = Object.entries(busPermissions()).flatMap(([user, permissions]) =>
    userLines(user, permissions),
  )
  return withSection(
    withSection(text, 'known users', [`    auth_users: [ ${busUsers.join(', ')} ]`]),
    'permissions',
    users,
  )
}

const userLines = (user, { publish, subscribe, answers }) => [
  notes[user] ? `    { # ${notes[user]}` : '    {',
  `      user: ${user}, password: $${natsPasswordVariable(user)}`,
  '      permissions {',
  ...subjectLines('publish', publish),
  ...subjectLines('subscribe', subscribe),
  ...(answers ? ['        allow_responses { max: 1, expires: "30s" }'] : []),
  '      }',
  '    }',
]

const subjectLines = (verb, subjects) => [
  `        ${verb} { allow: [`,
  ...subjects.map(subject => `          "${subject}"`),
  '        ] }',
]
