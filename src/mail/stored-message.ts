import type { ParsedMail } from 'mailparser'

/** A message of the sandbox mailbox, taken apart. */
interface StoredMessage {
  from: string | null
  subject: string
  /** Headers by lower-case name; a list of values for a repeated header. */
  headers: Record<string, string | string[]>
  text: string | null
  html: string | null
}

/** Reads a raw message. */
export async function readStored(raw: string): Promise<StoredMessage> {
  // Loaded on first use, which makes every start a tenth of a second faster.
  const { simpleParser } = await import('mailparser')
  const parsed = await simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  })
  return {
    from: parsed.from?.value[0]?.address ?? null,
    subject: parsed.subject ?? '',
    headers: rawHeaders(parsed),
    text: parsed.text || null,
    html: parsed.html || null,
  }
}

/** The headers of a raw message without its body. */
export function headOf(raw: string): string {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.slice(0, end + 4)
}

/** Each header as written in the message, unfolded. The map of mailparser turns some headers into objects. */
function rawHeaders(parsed: ParsedMail): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const { key, line } of parsed.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n(?=[ \t])/g, '')
      .trim()
    const before = headers[key]
    headers[key] = before === undefined ? value : [before, value].flat()
  }
  return headers
}
