import { randomInt } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { canonicalJson } from '../canonical-json.ts'
import { invalid } from '../errors.ts'
import { checker, obj } from '../schema.ts'
import { type Keys, sha256 } from '../secrets.ts'
import { hasRows } from '../store/rows.ts'
import type { Tx } from '../store/open.ts'
import { used_challenges } from '../store/tables/sign-in.ts'

/**
 * Proofs of work in ALTCHA's format (docs/api/sites.md#proof-of-work). The browser derives keys from one counter after
 * the other until a key begins as the challenge says. The service derived the key of one counter when it made the
 * challenge, and signed the challenge together with that key, so it checks a solution without deriving a key again.
 */

/**
 * 500,000 to 1,000,000 rounds of PBKDF2: 0.2 to 1 second of a phone, 0.05 to 0.1 seconds of a server's core. The
 * service spends 5,000 rounds on each challenge.
 */
const ROUNDS = 5000
const COUNTER_MIN = 100
const COUNTER_MAX = 200
const LIFE_MS = 600_000

/** Makes a challenge for the forms of one project, named by its public id. */
export async function newChallenge(keys: Keys, project_id: string, now: number) {
  let key = ''
  const bound = { expiresAt: Math.floor((now + LIFE_MS) / 1000), data: { project_id } }
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ROUNDS,
    counter: randomInt(COUNTER_MIN, COUNTER_MAX + 1),
    ...bound,
    async deriveKey(...given) {
      const derived = await deriveKey(...given)
      key = Buffer.from(derived.derivedKey).toString('hex')
      return derived
    },
  })
  const parameters = { ...challenge.parameters, ...bound }
  return { parameters, signature: keys.sign('proof-of-work', signedText(parameters, key)) }
}

/** The key has 128 bits that no challenge shows, so its hash gives nothing away. */
function signedText(parameters: unknown, key: string): string {
  return sha256(`${canonicalJson(parameters)} ${key}`)
}

const isSolution = checker(
  obj({
    challenge: obj({
      parameters: Type.Object({
        nonce: Type.String({ maxLength: 100 }),
        expiresAt: Type.Integer(),
        data: obj({ project_id: Type.String() }),
      }),
      signature: Type.String(),
    }),
    solution: Type.Object({ derivedKey: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  }),
)

/** A challenge that was solved and is not used yet. */
interface Solved {
  nonce: string
  expires_at: number
}

/** Reads what the widget put into the form. VALIDATION_FAILED unless it solves a challenge of this project. */
export function requireSolution(keys: Keys, project_id: string, given: unknown, now: number): Solved {
  if (typeof given !== 'string' || given === '') throw invalid('/altcha', 'This form needs a proof of work.')
  const payload = parsed(given)
  if (!isSolution.Check(payload)) throw invalid('/altcha', 'This is no proof of work.')
  const { parameters, signature } = payload.challenge
  const signed = keys.verify('proof-of-work', signature)?.toString()
  if (signed !== signedText(parameters, payload.solution.derivedKey))
    throw invalid('/altcha', 'This solves no challenge of this service.')
  if (parameters.data.project_id !== project_id) throw invalid('/altcha', 'The challenge belongs to another project.')
  const expires_at = parameters.expiresAt * 1000
  if (expires_at <= now) throw invalid('/altcha', 'The challenge has expired. Solve a new one.')
  return { nonce: parameters.nonce, expires_at }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    return null
  }
}

/** Uses a solved challenge. VALIDATION_FAILED when it was used before. */
export async function useSolution(tx: Tx, { nonce, expires_at }: Solved): Promise<void> {
  const used = await tx
    .insert(used_challenges)
    .values({ challenge_hash: sha256(nonce), expires_at })
    .onConflictDoNothing()
    .returning({ expires_at: used_challenges.expires_at })
  if (!hasRows(used)) throw invalid('/altcha', 'The challenge was used before. Solve a new one.')
}
