import { READERS, type WebhookKind } from '../../../../src/newsletter/connections/webhooks/receive.ts'
import { type FetchText, parseBody, type Verified } from '../../../../src/newsletter/connections/webhooks/report.ts'

/** The request of a webhook as a test gives it to the reader of a provider. */

export const NOW = Date.UTC(2026, 4, 1, 12)
export const SECONDS = String(NOW / 1000)
export const OURS = '<3f.0123456789abcdef@harbour.example>'
export const TOPIC = 'arn:aws:sns:eu-west-1:1:t'

export interface Sent {
  headers?: Record<string, string>
  body: string | Buffer
  secret?: string
  topic?: string | null
  now?: number
  fetchText?: FetchText
}

const nothingFetched: FetchText = async (url) => {
  throw new Error(`no fetch of ${url} is expected`)
}

export const read = (
  kind: WebhookKind,
  { headers = {}, body, secret = '', topic = TOPIC, now = NOW, fetchText = nothingFetched }: Sent,
): Promise<Verified | null> =>
  READERS[kind].read({
    readJson: async () => parseBody(Buffer.from(body as Buffer)),
    headers: new Headers(headers),
    body: Buffer.from(body as Buffer),
    secret,
    topic,
    now,
    fetchText,
  })

/** The reports of a request in short: kind, address, message. */
export const said = async (kind: WebhookKind, sent: Sent) =>
  (await read(kind, sent))!.reports.map(({ kind: what, email, message_id }) => [what, email, message_id])
