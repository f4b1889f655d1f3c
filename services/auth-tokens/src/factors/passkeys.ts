/** WebAuthn Level 3: what browsers are asked for, and the check of what they answer. */
import type { Assertion, Attestation } from '@svc/contract/auth-tokens/factors'
import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { type Challenge, newChallenge, openChallenge } from './challenges.ts'

export interface PasskeyIds {
  readonly credential_id: string
  readonly transports: readonly string[]
}

/** As a JSON array of {@link PasskeyIds}. */
export const passkeysOf = (user: Fragment): Fragment => fragment`coalesce((
  select jsonb_agg(jsonb_build_object('credential_id', credential_id, 'transports', transports) order by id)
  from passkeys where user_id = ${user}
), '[]')`

type Needed = Pick<Deps, 'publicUrl' | 'seal' | 'now'>

/** Browsers know no passkeys of addresses (WebAuthn Level 3, 5.1.3): on one's own machine they are those of `localhost`. */
const siteOf = ({ publicUrl }: Needed) => {
  const site = new URL(publicUrl)
  if (site.hostname === '127.0.0.1') site.hostname = 'localhost'
  return { expectedOrigin: site.origin, expectedRPID: site.hostname }
}

const known = (passkeys: readonly PasskeyIds[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: transports as AuthenticatorTransport[],
  }))

const record = (options: object) => options as Record<string, unknown>

/** @param passkeys of the person; undefined: any that verifies its user and knows whose it is */
export const requestOptions = async (
  purpose: string,
  passkeys: readonly PasskeyIds[] | undefined,
  deps: Needed,
) =>
  record(
    await generateAuthenticationOptions({
      rpID: siteOf(deps).expectedRPID,
      challenge: newChallenge(purpose, deps),
      ...(passkeys && { allowCredentials: known(passkeys) }),
      userVerification: passkeys ? 'preferred' : 'required',
    }),
  )

export const creationOptions = async (
  challenge: string,
  user: { id: string; email: string; passkeys: readonly PasskeyIds[] },
  deps: Needed,
) =>
  record(
    await generateRegistrationOptions({
      rpName: 'svc',
      rpID: siteOf(deps).expectedRPID,
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: user.email,
      challenge,
      excludeCredentials: known(user.passkeys),
    }),
  )

interface Stored {
  readonly credential_id: string
  readonly public_key: string
}

export interface ProvenPasskey {
  readonly challenge: Challenge
  readonly counter: number
  readonly isVerified: boolean
}

/** @returns undefined: it is of another site, challenge or key, or did not verify its user as it has to */
export async function checkAssertion(
  assertion: Assertion,
  { credential_id, public_key }: Stored,
  { purpose, verified }: { purpose: string; verified: boolean },
  deps: Needed,
): Promise<ProvenPasskey | undefined> {
  const asked = challengeIn(assertion.response.clientDataJSON, purpose, deps)
  if (!asked) return undefined
  const checked = await refusing(
    verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: asked.expectedChallenge,
      ...siteOf(deps),
      // Synced passkeys have several counters: the statement that accepts it compares them.
      credential: { id: credential_id, publicKey: Buffer.from(public_key, 'base64url'), counter: 0 },
      requireUserVerification: verified,
    }),
  )
  if (!checked?.verified) return undefined
  const { newCounter, userVerified } = checked.authenticationInfo
  return { challenge: asked.challenge, counter: newCounter, isVerified: userVerified }
}

export async function checkAttestation(attestation: Attestation, purpose: string, deps: Needed) {
  const asked = challengeIn(attestation.response.clientDataJSON, purpose, deps)
  if (!asked || !isUsual(attestation.response.attestationObject)) return undefined
  const checked = await refusing(
    verifyRegistrationResponse({
      response: {
        ...attestation,
        response: {
          ...attestation.response,
          transports: attestation.response.transports as AuthenticatorTransport[],
        },
        clientExtensionResults: {},
      },
      expectedChallenge: asked.expectedChallenge,
      ...siteOf(deps),
      requireUserVerification: false,
    }),
  )
  if (!checked?.verified) return undefined
  const { id, publicKey, counter } = checked.registrationInfo.credential
  const { transports } = attestation.response
  return {
    challenge: asked.challenge,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
  }
}

/** Without certificates (WebAuthn Level 3, 5.1.3): for those of other formats the library fetches lists of revoked ones. */
const usualFormats = ['none', 'packed']

function isUsual(attestationObject: string): boolean {
  try {
    return usualFormats.includes(
      decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('fmt'),
    )
  } catch {
    return false
  }
}

/** Which of our challenges was answered, and as what the browser has it. */
function challengeIn(clientData: string, purpose: string, deps: Needed) {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    const opened = openChallenge(Buffer.from(challenge, 'base64url').toString(), purpose, deps)
    return opened && { challenge: opened, expectedChallenge: String(challenge) }
  } catch {
    return undefined
  }
}

/** The library throws for what is malformed and for what is wrong. */
const refusing = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined)
