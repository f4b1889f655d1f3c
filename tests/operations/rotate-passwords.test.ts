// Sibling: rotate-nkeys.test.ts.
import { test } from 'vitest'
import { rotateEverySecret } from './rotate-secrets.ts'

test('with passwords on the bus: all secrets are rotated under load, and no request fails', () =>
  rotateEverySecret('small'))
