import { expect, test } from 'vitest'
import { invitation } from '../src/invitation.ts'

const demo = {
  base_url: 'http://127.0.0.1:8080/v1',
  api_token: 'svc_demo',
  product_id: 'prod_1',
  owner: { email: 'owner@demo.example' },
  stranger: { email: 'stranger@demo.example' },
}
const given = { demo, devFile: '/clone/.svc/dev.json', tookMs: 12_345 }

test('the console comes first, with who signs in there, then the offer, then the API', () => {
  const text = invitation({ ...given, offer: { link: 'http://127.0.0.1:8080/i/7Kq2mXc9TzWf' } })
  expect(text.trimStart().split('\n').slice(0, 8)).toEqual([
    'The console: http://127.0.0.1:8080/console',
    'Sign in there as owner@demo.example, with the password under "owner" in /clone/.svc/dev.json',
    '',
    'An offer is ready: http://127.0.0.1:8080/i/7Kq2mXc9TzWf',
    'Order it: in a private window, as stranger@demo.example, with the password under "stranger" in the same file',
    '',
    'svc is up after 12.3 s: http://127.0.0.1:8080/v1',
    'Ids and credentials of the demo workspace: /clone/.svc/dev.json',
  ])
})

test('without an offer it says why, and the rest as ever', () => {
  const text = invitation({ ...given, offer: { missing: 'POST /offers was answered with 422' } })
  expect(text).toContain('\nThe console: http://127.0.0.1:8080/console\n')
  expect(text).toContain('\nNo offer is ready: POST /offers was answered with 422\n')
  expect(text).toContain("curl -sS http://127.0.0.1:8080/v1/offers -H 'Authorization: Bearer svc_demo'")
  expect(text).not.toContain('Order it')
})
