import { h } from 'preact'
import { type IconName, icons } from './icons.ts'

/** Decorative: the text next to it says the same, so it is not read aloud. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {icons[name].map(([tag, attributes]) => h(tag, attributes))}
  </svg>
)
