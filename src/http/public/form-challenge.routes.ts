import { Type } from '@sinclair/typebox'
import { addressBlock } from '../../access/address.ts'
import { invalid } from '../../errors.ts'
import { rateLimited } from '../../operation/rate-limit.ts'
import { obj } from '../../schema.ts'
import { newChallenge } from '../../sites/proof-of-work.ts'
import { route } from '../core/route.ts'
import { findProject } from './public-form.ts'

/** In ALTCHA's format, which its widget reads. */
const Challenge = obj({
  parameters: obj({
    algorithm: Type.String(),
    cost: Type.Integer({ description: 'Rounds of the key derivation.' }),
    data: obj({ project_id: Type.String() }),
    expiresAt: Type.Integer({ description: 'Seconds since 1970.' }),
    keyLength: Type.Integer(),
    keyPrefix: Type.String({ description: 'Hexadecimal digits with which the wanted key begins.' }),
    nonce: Type.String(),
    salt: Type.String(),
  }),
  signature: Type.String(),
})

/** Gives a form its challenge (docs/api/sites.md#proof-of-work). */
export const formChallengeRoute = route({
  method: 'GET',
  path: '/general/project/form/challenge',
  summary: "A challenge for the proof of work of a form, in ALTCHA's format.",
  auth: 'public',
  query: obj({ project_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: Challenge,
  errors: ['RATE_LIMITED'],
  async run({ project_id }, { limiter, config, keys, store, address, now, always }) {
    // Any page may read it: a challenge is no secret, and pages below /sites have an opaque origin, which CORS cannot
    // name.
    always['Access-Control-Allow-Origin'] = '*'
    const allowance = await limiter.take(`challenge:${addressBlock(address)}`, config.public_requests_per_minute)
    if (!allowance.allowed) throw rateLimited(allowance)
    const project = await findProject(store, project_id)
    if (!project) throw invalid('/project_id', 'There is no such project.')
    return newChallenge(keys, project.public_id, now)
  },
})
