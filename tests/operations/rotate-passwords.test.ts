import { everything } from '@svc/testing/size'
import { test } from 'vitest'
import { rotateEverySecret } from './rotate-secrets.ts'

test.runIf(everything)(
  'with passwords on the bus: all secrets are rotated under load, and no request fails',
  () => rotateEverySecret('small'),
)
