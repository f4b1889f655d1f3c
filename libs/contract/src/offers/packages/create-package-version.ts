import { workspaceMember } from '../../core/access.ts'
import { entryOf, envelopeError, refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { nameText } from '../../core/text.ts'
import { inputSchema, instructionsText, ofPackage, theVersion } from '../catalogue-example-bodies.ts'
import {
  inPath,
  instructions,
  inputSchema as inputSchemaField,
  packageVersionWithSchema,
  versionName,
} from '../catalogue.ts'
import { version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Publish an immutable package version; publishing it again returns the existing one',
  http: { method: 'POST', path: '/packages/{id}/versions', status: 201 },
  access: workspaceMember,
  permission: 'catalogue:write',
  params: inPath,
  body: z.strictObject({
    version: nameText(100).describe(versionName),
    input_schema: inputSchemaField,
    instructions,
  }),
  output: packageVersionWithSchema,
  errors: ['NotFound', 'Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'versions publish',
    options: { version: { name: 'name' }, input_schema: { name: 'schema' } },
    examples: [
      'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema schema.json',
      'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema - < schema.json',
    ],
  },
  page: '/catalogue/packages/:id/versions/new',
  group: 'Packages',
  description:
    'Publishes an immutable version. `input_schema` is JSON Schema 2020-12 of an object, of at most 64 KiB, 16 levels and 200 properties, without remote `$ref`; regular expressions are matched without backtracking.\n\n**Idempotency.** Publishing the same version with the same schema and instructions again returns the existing one; with others it is refused.\n\n**Instructions.** A placeholder for anything but the install’s id, its credential and the properties of the schema is refused.',
  codes: ['already_exists', 'invalid_input_schema', 'unknown_placeholder', 'quota_exceeded'],
  examples: [
    {
      step: 390,
      summary: 'A version whose customers enter region and company',
      by: 'script',
      request: {
        ...ofPackage,
        body: { version: '1.0.0', input_schema: inputSchema, instructions: instructionsText },
      },
      answer: { body: { ...theVersion, input_schema: inputSchema, instructions: instructionsText } },
    },
    {
      step: 400,
      summary: 'The version exists with a different schema',
      by: 'script',
      request: { ...ofPackage, body: { version: '1.0.0', input_schema: { type: 'object', properties: {} } } },
      refusal: refusal('already_exists', {
        path: ['version'],
        message:
          'This version is already published with another input schema or other instructions. Versions are immutable: publish a new one.',
        metadata: { id: version1 },
      }),
    },
    {
      step: 410,
      summary: 'Not a valid JSON Schema',
      by: 'script',
      request: {
        ...ofPackage,
        body: { version: '1.1.0', input_schema: { properties: { seats: { type: 'int' } } } },
      },
      refusal: envelopeError('Unprocessable', [
        entryOf('invalid_input_schema', {
          path: ['input_schema', 'properties', 'seats', 'type'],
          message:
            'input_schema.properties.seats.type: must be one of: array, boolean, integer, null, number, object, string.',
          metadata: { pointer: '/properties/seats/type' },
        }),
      ]),
    },
    {
      step: 415,
      summary: 'A placeholder that the schema does not have',
      by: 'script',
      request: {
        ...ofPackage,
        body: { version: '1.1.0', input_schema: inputSchema, instructions: 'Open {{ field.host }}.' },
      },
      refusal: refusal('unknown_placeholder', {
        path: ['instructions'],
        message: 'instructions: {{ field.host }} is not a property of the input schema.',
      }),
    },
  ],
})
