import type { FieldSpec } from '../forms/field-spec.ts'

/** The fields of compute settings that people change. */
export const settingsFields: readonly FieldSpec[] = [
  {
    name: 'max_machines',
    label: 'At most this many machines',
    kind: 'number',
    min: 1,
    flag: '--max-machines',
    hint: 'Below the number that runs now, the cluster drains down to it.',
  },
  {
    name: 'auto_scaling_enabled',
    label: 'Auto scaling',
    kind: 'yes-no',
    flag: '--auto-scaling',
    words: { true: 'active', false: 'inactive' },
    hint: 'Whether the number of machines follows the load.',
  },
]
