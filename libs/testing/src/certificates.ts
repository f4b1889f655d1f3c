/** An authority and a certificate of its making, for servers of a test. */
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import forge from 'node-forge'

const { pki } = forge
const dayMs = 86_400_000

/** Writes `ca.crt`, `tls.crt` and `tls.key` into the folder: a certificate for both ends, with these names. */
export async function writeCertificates(folder: string, names: readonly string[]): Promise<void> {
  const authority = newKeys()
  const issuer = [{ name: 'commonName', value: 'svc test authority' }]
  const ca = certificate(authority.publicKey, '01', issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ])
  const server = newKeys()
  const altNames = names.map(name =>
    /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
  )
  const own = certificate(
    server.publicKey,
    '02',
    [{ name: 'commonName', value: 'nats' }],
    [
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  )
  for (const one of [ca, own]) {
    one.setIssuer(issuer)
    one.sign(authority.privateKey, forge.md.sha256.create())
  }
  await writeFile(join(folder, 'ca.crt'), pki.certificateToPem(ca))
  await writeFile(join(folder, 'tls.crt'), pki.certificateToPem(own))
  await writeFile(join(folder, 'tls.key'), server.pem, { mode: 0o600 })
}

function certificate(
  publicKey: forge.pki.rsa.PublicKey,
  serialNumber: string,
  subject: forge.pki.CertificateField[],
  extensions: object[],
): forge.pki.Certificate {
  const made = pki.createCertificate()
  made.publicKey = publicKey
  made.serialNumber = serialNumber
  made.validity.notBefore = new Date(Date.now() - dayMs)
  made.validity.notAfter = new Date(Date.now() + dayMs)
  made.setSubject(subject)
  made.setExtensions(extensions)
  return made
}

/** Made by Node.js, which is a hundred times faster at it. */
function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    pem,
    privateKey: pki.privateKeyFromPem(pem),
    publicKey: pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  }
}
