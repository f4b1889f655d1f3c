import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { anyText, pathId } from '../../core/text.ts'
import { theLicence } from '../licences-example-bodies.ts'
import { licence } from '../licences.ts'
import { install, installCredential } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Get a new licence, as the install itself',
  http: { method: 'GET', path: '/installs/{id}/licence', status: 200 },
  access: { credentials: [], anonymous: true, workspace: false, roles: [] },
  params: z.object({ id: pathId }),
  headers: z.object({
    'svc-install-credential': anyText(1, 200).describe('The credential of the install.'),
  }),
  credentialHeaders: ['svc-install-credential'],
  output: licence,
  errors: ['Conflict'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { reason: 'The install calls it, with a credential of its own.' },
  page: { reason: 'The install calls it, with a credential of its own.' },
  group: 'Licences',
  description:
    'For a program that renews its licence: once `renew_after` has passed, and again later if there is no answer. Requires the install’s own credential in `Svc-Install-Credential`, and no other.',
  codes: ['no_licence'],
  examples: [
    {
      step: 1064,
      summary: 'The program renews its licence',
      by: 'nobody',
      request: { params: { id: install }, headers: { 'svc-install-credential': installCredential } },
      answer: { body: { ...theLicence, licence: theLicence.licence.replace(/1$/, '2') } },
    },
    {
      step: 1065,
      summary: 'Credential of another install',
      by: 'nobody',
      request: { params: { id: install }, headers: { 'svc-install-credential': 'guessed' } },
      refusal: refusal('credential_invalid'),
    },
  ],
})
