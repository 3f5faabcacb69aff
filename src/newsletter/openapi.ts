import { operationsOpenApi } from '../operation/openapi-operations.ts'
import { operations } from './operations.ts'
import { AUDIENCE_VOCABULARY } from './wording/audience-vocabulary.ts'
import { NEWSLETTER_REQUESTS } from './wording/requests.ts'
import { SENDING_VOCABULARY } from './wording/sending-vocabulary.ts'

export const NEWSLETTER_VOCABULARY = { ...AUDIENCE_VOCABULARY, ...SENDING_VOCABULARY }

/** The OpenAPI document of the newsletter operations below the given address. */
export function newsletterOpenApi(server: string): unknown {
  return operationsOpenApi(operations, server, { words: NEWSLETTER_VOCABULARY, requests: NEWSLETTER_REQUESTS })
}
