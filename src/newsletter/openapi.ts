import { openApi } from '../operation/openapi.ts'
import { operations } from './operations.ts'
import { AUDIENCE_WORDS } from './wording/audience-words.ts'
import { NEWSLETTER_REQUESTS } from './wording/requests.ts'
import { SENDING_WORDS } from './wording/sending-words.ts'

export const NEWSLETTER_WORDS = { ...AUDIENCE_WORDS, ...SENDING_WORDS }

/** The OpenAPI document of the newsletter operations below the given address. */
export function newsletterOpenApi(server: string): unknown {
  return openApi(operations, server, { words: NEWSLETTER_WORDS, requests: NEWSLETTER_REQUESTS })
}
