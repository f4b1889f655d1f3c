/**
 * The colours of the pages, by the names that they have there: mail programs know no variables. A test compares
 * them.
 */
export const light = {
  ground: '#f5f6f8',
  surface: '#ffffff',
  text: '#1b2330',
  muted: '#566071',
  line: '#d9dee6',
  accent: '#2a4fbf',
  'on-accent': '#ffffff',
} as const

export const dark = {
  ground: '#11151b',
  surface: '#191f28',
  text: '#e7ebf1',
  muted: '#a4aebd',
  line: '#313a47',
  accent: '#9db6ff',
  'on-accent': '#0e1730',
} as const satisfies Record<keyof typeof light, string>
