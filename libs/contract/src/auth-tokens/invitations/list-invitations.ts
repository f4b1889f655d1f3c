import { ownInvitation } from '../invitations.ts'
import { asSeen, firstOfKim } from '../workspaces-example-bodies.ts'
import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List your own pending invitations',
  http: { method: 'GET', path: '/invitations', status: 200 },
  access: person,
  query: pageQuery,
  output: page(ownInvitation),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'invitations list',
    columns: ['id', 'workspace: workspace.name', 'owner: workspace.owner', 'role', 'expires_at'],
  },
  page: '~/invitations',
  group: 'Invitations',
  description:
    'Newest first: the invitations to the person’s address, once it is verified, with the name of the workspace and its owner. Anyone can give a workspace any name: check the owner.',
  examples: [
    {
      step: 100,
      summary: 'Kim’s invitations',
      by: 'invited',
      request: {},
      answer: { body: { data: [{ ...firstOfKim, ...asSeen }], next_cursor: null } },
    },
  ],
})
