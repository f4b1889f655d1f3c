import { compute } from '@svc/contract/compute/compute'
import { formFields } from '../../kit/forms/schema-fields.ts'

export const settingsFields = formFields(compute.operations.update_compute_settings, [
  {
    name: 'max_machines',
    label: 'Maximum machines',
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
    words: { true: 'active', false: 'inactive' },
    hint: 'Adjusts the number of machines to the load.',
  },
])
