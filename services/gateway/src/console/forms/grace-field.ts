import type { FieldSpec } from './field-spec.ts'

/** How long what was replaced is still accepted. */
export const graceField = (at: string, flag: string): FieldSpec => ({
  name: at,
  label: 'The old one stays valid for',
  kind: 'number-of',
  hint: 'Any earlier one ends at once, and so does this one if you create another.',
  flag,
  choices: [
    ['0', 'No time: it ends at once'],
    ['3600', 'An hour'],
    ['86400', 'A day'],
    ['604800', 'A week'],
  ],
})
