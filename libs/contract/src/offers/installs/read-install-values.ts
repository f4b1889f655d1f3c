import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { secrets } from '../../core/secrets.ts'
import { anyText, pathId } from '../../core/text.ts'
import { values } from '../orders-example-bodies.ts'
import { install, installCredential } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read the values of an install, secret ones among them, as the install itself',
  http: { method: 'GET', path: '/installs/{id}/field_values', status: 200 },
  access: { credentials: [], anonymous: true, workspace: false, roles: [] },
  params: z.object({ id: pathId }),
  headers: z.object({
    'svc-install-credential': anyText(1, 200).describe('The credential of the install.'),
  }),
  credentialHeaders: ['svc-install-credential'],
  output: z.object({
    field_values: z
      .record(z.string(), z.unknown())
      .describe('By property of the input schema, with secret values in plain text.')
      .register(secrets),
  }),
  errors: [],
  event: 'installs.values_read',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { reason: 'The install calls it, with a credential of its own.' },
  page: { reason: 'The install calls it, with a credential of its own.' },
  group: 'Installs',
  description:
    'The only response with the values of `format: password` fields: everywhere else they are replaced by `{"$sealed": true}`. Requires the install’s own credential in `Svc-Install-Credential`, and no other.',
  examples: [
    {
      step: 1050,
      summary: 'The program reads its values',
      by: 'nobody',
      request: { params: { id: install }, headers: { 'svc-install-credential': installCredential } },
      answer: { body: { field_values: values } },
    },
    {
      step: 1060,
      summary: 'Credential of another install',
      by: 'nobody',
      request: { params: { id: install }, headers: { 'svc-install-credential': 'guessed' } },
      refusal: refusal('credential_invalid'),
    },
  ],
})
