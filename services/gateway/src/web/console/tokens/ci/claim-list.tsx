import type { ComponentChildren } from 'preact'

interface ClaimListProps {
  readonly claims: Readonly<Record<string, string>>
  readonly more?: (name: string) => ComponentChildren
}

export const ClaimList = ({ claims, more }: ClaimListProps) => (
  <ul class="claims">
    {Object.entries(claims)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, value]) => (
        <li key={name}>
          <span class="hint">{name}</span> <code>{value}</code>
          {more?.(name)}
        </li>
      ))}
  </ul>
)
