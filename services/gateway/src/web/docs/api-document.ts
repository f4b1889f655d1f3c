import { readFileSync } from 'node:fs'

export function readApiDocument(publicUrl: string, contact?: string): string {
  const built = readFileSync(new URL('../../../dist/openapi.json', import.meta.url), 'utf8')
  const text = built.replace('{{public_url}}', publicUrl)
  if (contact === undefined) return text
  const document = JSON.parse(text)
  document.info.contact = { name: 'Support', [contact.includes('://') ? 'url' : 'email']: contact }
  return JSON.stringify(document)
}
