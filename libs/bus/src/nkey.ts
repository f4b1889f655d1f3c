import { nkeys } from 'nats'

/** A new identity on the bus: the server has the public key (`U…`), the user its seed (`SU…`). */
export function newNkey(): { publicKey: string; seed: string } {
  const pair = nkeys.createUser()
  return { publicKey: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) }
}
