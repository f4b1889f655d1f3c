import { expect, test } from 'vitest'
import { gatewayConfig } from '../../../src/config.ts'
import { readApiDocument } from '../../../src/web/docs/api-document.ts'

const read = (contact?: string) => JSON.parse(readApiDocument('https://api.example.com', contact))
const contactOf = (contact?: string) => read(contact).info.contact

test('the document names the versioned root by its whole address', () => {
  expect(read().servers).toEqual([{ url: 'https://api.example.com/v1' }])
})

test('the document names the configured contact', () => {
  expect(contactOf('help@example.com')).toEqual({ name: 'Support', email: 'help@example.com' })
  expect(contactOf('https://example.com/help')).toEqual({ name: 'Support', url: 'https://example.com/help' })
})

test('without one it names the operator', () => {
  expect(contactOf()).toEqual({ name: 'The operator of this installation' })
})

test.each(['help', 'ftp://example.com', 'javascript://x'])('%s is not a contact', text => {
  expect(gatewayConfig.SUPPORT_CONTACT.safeParse(text).success).toBe(false)
})
