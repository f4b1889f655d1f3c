export const colours = [
  ...['ground', 'surface', 'text', 'muted', 'line', 'edge'],
  ...['accent', 'accent-strong', 'on-accent', 'accent-soft'],
  ...['danger', 'danger-soft', 'warning-soft', 'warning-line', 'success', 'success-soft', 'focus'],
  ...['chart-1', 'chart-2', 'chart-3'],
] as const
export const types = ['type-1', 'type-2', 'type-3', 'type-4', 'type-5', 'type-6'] as const
export const spaces = ['space-1', 'space-2', 'space-3', 'space-4', 'space-5', 'space-6', 'space-7'] as const
