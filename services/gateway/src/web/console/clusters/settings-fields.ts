import type { FieldSpec } from '../../kit/forms/field-spec.ts'

/** The fields of compute settings that people change. */
export const settingsFields: readonly FieldSpec[] = [
  {
    name: 'max_machines',
    label: 'Maximum machines',
    kind: 'number',
    min: 1,
    flag: '--max-machines',
    hint: 'If you set this below the current number, the cluster drains down to it.',
  },
  {
    name: 'auto_scaling_enabled',
    label: 'Autoscaling',
    kind: 'yes-no',
    choices: [
      ['true', 'On'],
      ['false', 'Off'],
    ],
    flag: '--auto-scaling',
    words: { true: 'active', false: 'inactive' },
    hint: 'Adjusts the number of machines to the load.',
  },
]
