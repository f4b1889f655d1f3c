/** An authority and a certificate of its making, for servers of a test. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import forge from 'node-forge'

const { asn1, pki } = forge
const dayMs = 86_400_000

export interface Certificates {
  /** The certificate of the authority. */
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** Writes `ca.crt`, `tls.crt` and `tls.key` into the folder: what {@link makeCertificates} makes. */
export async function writeCertificates(folder: string, names: readonly string[]): Promise<Certificates> {
  const made = makeCertificates(names)
  await writeFile(join(folder, 'ca.crt'), made.ca)
  await writeFile(join(folder, 'tls.crt'), made.cert)
  await writeFile(join(folder, 'tls.key'), made.key, { mode: 0o600 })
  return made
}

/** @returns a certificate for both ends, with these names; all in PEM */
export function makeCertificates(names: readonly string[]): Certificates {
  const authority = newKeys()
  const issuer = [{ name: 'commonName', value: 'svc test authority' }]
  const ca = certificate('01', issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ])
  const server = newKeys()
  const altNames = names.map(name =>
    /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
  )
  const subject = [{ name: 'commonName', value: 'nats' }]
  const own = certificate('02', subject, [
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    { name: 'subjectAltName', altNames },
  ])
  for (const one of [ca, own]) one.setIssuer(issuer)
  return {
    ca: signed(ca, authority.publicKey, authority.privateKey),
    cert: signed(own, server.publicKey, authority.privateKey),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function certificate(
  serialNumber: string,
  subject: forge.pki.CertificateField[],
  extensions: object[],
): forge.pki.Certificate {
  const made = pki.createCertificate()
  made.serialNumber = serialNumber
  made.validity.notBefore = new Date(Date.now() - dayMs)
  made.validity.notAfter = new Date(Date.now() + dayMs)
  made.setSubject(subject)
  made.setExtensions(extensions)
  return made
}

// An elliptic curve, because generating an RSA key takes seconds.
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** As PEM. node-forge knows RSA alone, so key, algorithm and signature are put in here. */
function signed(made: forge.pki.Certificate, publicKey: KeyObject, privateKey: KeyObject): string {
  const one = new forge.jsbn.BigInteger('1')
  made.publicKey = pki.setRsaPublicKey(one, one)
  made.signatureOid = made.siginfo.algorithmOid = pki.oids.sha256WithRSAEncryption ?? ''
  const whole = pki.certificateToAsn1(made)
  const [tbs] = whole.value as [forge.asn1.Asn1]
  const ecdsaWithSha256 = asn1.fromDer(forge.util.hexToBytes('300a06082a8648ce3d040302'))
  const fields = tbs.value as forge.asn1.Asn1[]
  fields[2] = ecdsaWithSha256
  fields[6] = asn1.fromDer(publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'))
  const signature = sign('sha256', Buffer.from(asn1.toDer(tbs).getBytes(), 'latin1'), privateKey)
  const { Class, Type } = asn1
  const bits = asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, `\0${signature.toString('latin1')}`)
  whole.value = [tbs, ecdsaWithSha256, bits]
  return forge.pem.encode({ type: 'CERTIFICATE', body: asn1.toDer(whole).getBytes() })
}
