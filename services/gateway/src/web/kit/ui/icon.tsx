import { h } from 'preact'
import { type IconName, icons } from './icons.ts'

/** Beside a text that says the same: nothing reads it aloud. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {icons[name].map(([tag, attributes]) => h(tag, attributes))}
  </svg>
)
