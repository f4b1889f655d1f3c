type Kind = 'products' | 'packages' | 'channels'

export const crumbsOf = (kind: Kind, ...further: { label: string; path: string }[]) => [
  { label: 'Catalogue', path: '/catalogue' },
  {
    label: kind === 'channels' ? 'Terms' : kind.charAt(0).toUpperCase() + kind.slice(1),
    path: kind === 'products' ? '/catalogue' : `/catalogue?kind=${kind}`,
  },
  ...further,
]
