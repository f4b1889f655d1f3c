import type { FieldSpec } from '../../kit/forms/field-spec.ts'

export const graceField = (at: string): FieldSpec => ({
  name: at,
  label: 'Keep the old secret valid for',
  kind: 'number-of',
  hint: 'Only one old secret can stay valid at a time. Rotating again expires it immediately.',
  choices: [
    ['0', 'Expire immediately'],
    ['3600', '1 hour'],
    ['86400', '24 hours'],
    ['604800', '7 days'],
  ],
})
