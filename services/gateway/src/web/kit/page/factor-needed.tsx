import { returnTo } from '../visit/return-to.ts'

/** Where a workspace demands a second factor of a person who signed in without one. */
export const FactorNeeded = ({ path }: { readonly path: string }) => (
  <>
    This workspace requires a second factor, and you signed in without one.{' '}
    <a href="/security">Set up a passkey or an authenticator app</a>. If you have one,{' '}
    <a href={`/confirm?${new URLSearchParams({ return_to: returnTo(path) })}`}>confirm with it</a>.
  </>
)
