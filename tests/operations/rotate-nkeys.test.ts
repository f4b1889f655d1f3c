import { test } from 'vitest'
import { rotateEverySecret } from './rotate-secrets.ts'

test('with an nkey for each user of the bus: all secrets are rotated under load, and no request fails', () =>
  rotateEverySecret('cloudnative-pg'))
